// The binary model of fastText 0.9 (version 12), which fastText, gensim and others read. A file has
// a magic number and a version, the settings, the dictionary (sizes, then a word and a count per
// entry), and two matrices, each after a byte that says whether it is quantized: the rows of words
// and buckets, and the output rows. Numbers are little-endian.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/output_file.h"
#include "math/matrix.h"
#include "text/vocabulary.h"
#include "vectors/row_reader.h"
#include "vectors/subwords.h"

namespace acevec {

// The training settings in a model file. fastText shows them, and continues training from them.
struct FastTextTraining {
  int64_t window;
  int64_t epochs;
  int64_t min_count;
  int64_t negatives;
  bool cbow;
  double sample;  // -sample, fastText's t; 0: no subsampling
  SubwordShape subwords;
};

// Returns the row of a bucket, 0 .. shape.buckets − 1, with as many numbers as a word's row, valid
// until the next call; null: zeros.
using RowOf = std::function<const float*(int64_t bucket)>;

// Writes a model with negative sampling row by row, without a copy in memory. `own` begins with
// each word's own row, without its subwords, in id order; a null `bucket_row` means zeros;
// `contexts`: the words' context vectors. Without subwords the file has no buckets. The caller
// commits the file. Throws Error when a word has a NUL byte, a number is not finite, or the disk is
// full.
void write_fasttext_model(const Vocabulary& vocabulary, const FastTextTraining& training,
                          const Matrix& own, const RowOf& bucket_row, const Matrix& contexts,
                          OutputFile& file);

// Returns whether the next bytes begin a model.
bool begins_fasttext(LookAhead& input);

// Reads models of versions 11 and 12: skip-gram, CBOW and classifiers (without their labels), not
// quantized. The rows are the words', each composed of the word's own row and its n-grams'; the
// output matrix is skipped. All rows are in memory after the first is read. Throws Error when the
// file is something else, damaged or of another version; reading throws it when the rows need more
// memory than is available.
std::unique_ptr<RowReader> open_fasttext(std::unique_ptr<LookAhead> input);

}  // namespace acevec
