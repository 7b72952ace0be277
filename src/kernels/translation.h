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

// The signs of u, as add_signs() and sign_product() read them: sign_floats(width) floats of memory,
// whose numbers mean nothing. Two bits for each coordinate are little for another core to fetch.
constexpr int64_t sign_floats(int64_t width) {
  return width / 8 + 2;  // two bytes for as few as four coordinates, and what is read behind them
}

// Σ |u_k|, and the signs of u unless they are null.
extern float (*const translation_length)(const Translation& rows, int64_t width, float* signs);

// out_k += scale · sign(u_k), where the sign of 0 is 0.
extern void (*const add_signs)(const float* signs, float scale, int64_t width, float* out);

// Σ sign(u_k) x_k.
extern float (*const sign_product)(const float* signs, const float* x, int64_t width);

}  // namespace acevec
