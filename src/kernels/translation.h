// Σ |u_k| of u = h + r − t + m p, what TransE (without p) and TransD measure, and its slopes.
//
// Rows have `width` floats, a multiple of kRowPadding; padding is 0.
#pragma once

#include <cstdint>

namespace acevec {

struct TripleRows {
  const float* head;
  const float* relation;
  const float* tail;
};

struct Translation : TripleRows {
  const float* direction;  // p; null for none
  float move;              // m
};

// slopes = ∂|u|/∂u, 0 where a |u_k| has none; may be null.
extern float (*const translation_length)(const Translation& rows, int64_t width, float* slopes);

}  // namespace acevec
