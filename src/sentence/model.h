// What turns a sentence into a vector: two networks f and g, as of QuickThoughts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/matrix.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace acevec {

// A row for each word, then for each bucket of pairs of words that follow each other: `size`
// numbers, and the logarithm of its weight in a sentence's mean.
struct SentenceModel {
  // All zeros. Throws std::bad_alloc.
  SentenceModel(Vocabulary words, TokenMode tokens, int64_t size, int64_t buckets, bool tied);

  Vocabulary vocabulary;
  TokenMode mode;
  int64_t size;     // numbers in a vector of one network
  int64_t buckets;  // 0: pairs of words do not count
  bool tied;        // g is f
  Matrix f, g;      // g: no rows if tied

  const Matrix& network_g() const { return tied ? f : g; }
  int64_t columns() const { return tied ? size : 2 * size; }  // of a sentence's vector
};

// The rows of a sentence: its words', and its pairs'.
void bag_rows(const int32_t* ids, size_t count, int32_t words, int64_t buckets,
              std::vector<int32_t>& rows);

// Random numbers, and weights a / (a + p) for words of frequency p, which make the mean that of SIF
// (Arora, Liang and Ma 2017); they are where learning begins.
void start_model(SentenceModel& model, uint64_t seed);

// Rows of `model` become the vectors of `path` for words that stand there, in both networks.
// Returns how many. Throws Error when the file cannot be read or has another size.
int64_t start_from_vectors(SentenceModel& model, const std::string& path);

// Moves all rows of each network by one vector, so that `mean`, of columns() numbers, becomes 0
// where it was: a sentence's vector is a mean of rows and moves as they do. Cosines then tell
// sentences apart, which else have much in common.
void move_to_centre(SentenceModel& model, const std::vector<double>& mean);

// One thread's means of rows.
class SentenceEncoder {
 public:
  explicit SentenceEncoder(const SentenceModel& model) : model_(model) {}

  // vector = f's mean, and behind it g's unless they are one; zeros for a sentence without words.
  void encode(const std::vector<int32_t>& ids, float* vector);

 private:
  void add_mean(const Matrix& rows, float* vector);

  const SentenceModel& model_;
  std::vector<int32_t> rows_;
};

}  // namespace acevec
