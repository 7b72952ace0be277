// Σ |u_k| of u = h + r − t + m p, what TransE (without p) and TransD measure, and its slopes.
//
// Rows have `width` floats, a multiple of kRowPadding; padding is 0.
#pragma once

#include <cstdint>

namespace acevec {

// The rows of a triple, and the rows that their gradients are added to.
struct TripleRows {
  const float* head;
  const float* relation;
  const float* tail;
};
struct TripleGradients {
  float* head;
  float* relation;
  float* tail;
};

struct Translation : TripleRows {
  const float* direction;  // p; null for none
  float move;              // m
};

extern float (*const translation_length)(const Translation& rows, int64_t width);

// Adds scale · ∂|u|/∂h to gradients.head, and so on; `direction_gradient` may be null without p.
// Where a |u_k| has no slope, 0 is taken. Returns ∂|u|/∂m.
extern float (*const add_translation_gradient)(const Translation& rows, int64_t width, float scale,
                                               const TripleGradients& gradients,
                                               float* direction_gradient);

}  // namespace acevec
