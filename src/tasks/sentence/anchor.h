// Rows that training changes, held near where they began.
#pragma once

#include <cstdint>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/pair_text.h"

namespace acevec {

// Decay towards the start (Li, Grandvalet and Davoine 2018, "L2-SP"), beside Adam's step as in
// AdamW, so that it is the same share for all rows.
class Anchor {
 public:
  // Keeps the rows of the text's words as they are now. In a step a row goes back by strength ·
  // rate of the way. `rows` must outlive the object.
  Anchor(const PairText& text, const Matrix& rows, float strength);

  // What one object needs, in bytes, for so many words of the model and of the text. `width`: of a
  // row.
  static int64_t bytes(int64_t words, int64_t trained, int64_t width) {
    return 4 * words + trained * width * kFloatSize;
  }

  // Adds that to the change of a row of the text.
  void pull(const float* row, float rate, float* change) const;

 private:
  const Matrix& rows_;
  float strength_;
  std::vector<int32_t> place_of_;  // of each row in start_; −1: no text has it
  Matrix start_;                   // the rows of the text's words
};

}  // namespace acevec
