// The rows of a word's n-grams, which compose the vectors of unseen words.
#pragma once

#include <string_view>

#include "math/matrix.h"
#include "vectors/subwords.h"

namespace acevec {

class SubwordRows {
 public:
  // `rows`: one for each of shape.buckets.
  SubwordRows(const SubwordShape& shape, Matrix rows) : shape_(shape), rows_(std::move(rows)) {}

  // vector = the mean of `own` (null: the word has no row of its own) and the rows of the word's
  // n-grams, as many numbers as these have. `own` may be `vector`. Returns false, and leaves
  // `vector`, when there is nothing to take the mean of. fastText's mark of line ends, "</s>", has
  // no n-grams.
  bool compose(std::string_view word, const float* own, float* vector) const;

 private:
  SubwordShape shape_;
  Matrix rows_;
};

}  // namespace acevec
