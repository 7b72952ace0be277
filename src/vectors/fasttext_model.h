// The binary model of fastText 0.9 (version 12), which fastText, gensim and others read.
#pragma once

#include <cstdint>
#include <functional>

#include "base/output_file.h"
#include "math/matrix.h"
#include "text/vocabulary.h"
#include "vectors/subwords.h"

namespace acevec {

// What the file tells of how its model was trained; fastText goes on from it, and shows it.
struct FastTextTraining {
  int64_t window;
  int64_t epochs;
  int64_t min_count;
  int64_t negatives;
  bool cbow;
  double sample;  // −sample, fastText's t; 0: no word is left out
  SubwordShape subwords;
};

// The row of a bucket, 0 .. shape.buckets − 1, as many numbers as a word's, valid until the next
// call; null: zeros.
using RowOf = std::function<const float*(int64_t bucket)>;

// Writes a model with negative sampling. `own`: first each word's own row, without its subwords, in
// the order of the ids; `bucket_row`: null: zeros; `contexts`: the words' context vectors. Without
// subwords the file has no buckets. Rows go out one by one, so no memory is
// needed. The file is not committed. Throws Error when a word holds a NUL byte or a number is not
// finite, and when the disk is full.
void write_fasttext_model(const Vocabulary& vocabulary, const FastTextTraining& training,
                          const Matrix& own, const RowOf& bucket_row, const Matrix& contexts,
                          OutputFile& file);

}  // namespace acevec
