// ‖u‖ of u = h + r − t + m p, what TransE (without p) and TransD measure, and its slopes. Compiled
// for every instruction set; tests/tasks/kg/score_test.cc checks each.
//
// Rows have `width` floats, a multiple of kRowPadding; padding is 0.
#pragma once

#include <cstdint>

namespace acevec {

enum class Norm { kL1, kL2 };

struct Translation {
  const float* head;
  const float* relation;
  const float* tail;
  const float* direction;  // p; null for none
  float move;              // m
};

float translation_length(Norm norm, const Translation& rows, int64_t width);

// Adds scale · ∂‖u‖/∂h to head_gradient, and so on; `direction_gradient` may be null without p.
// Where ‖u‖ has no slope, 0 is taken. Returns ∂‖u‖/∂m.
float add_translation_gradient(Norm norm, const Translation& rows, int64_t width, float scale,
                               float* head_gradient, float* relation_gradient, float* tail_gradient,
                               float* direction_gradient);

}  // namespace acevec
