// Trains words that are composed of subwords. Updating a dozen rows for each token would take most
// of the time. So each word of a piece of text is composed once and trained as a row of its own,
// and its change is distributed to its rows at the end of the piece.
#pragma once

#include <tsl/robin_map.h>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "math/matrix.h"
#include "tasks/word/sequence.h"
#include "text/vocabulary.h"
#include "vectors/subwords.h"

namespace acevec {

// The rows of V that each word of a vocabulary is composed of, if words have subwords.
//
// V has a row for each word, then one for each bucket that an n-gram of some word falls into, most
// used first, so that rows used together are close together. Buckets that no word needs take no
// memory.
class SubwordIndex {
 public:
  // If `shape` has no n-grams, only words have rows.
  SubwordIndex(const Vocabulary& vocabulary, const SubwordShape& shape);

  int64_t words() const { return std::ssize(first_) - 1; }
  int64_t rows() const { return words() + std::ssize(row_of_bucket_); }

  // A word's own row, then those of its n-grams, with repetitions.
  std::span<const int32_t> rows_of(int64_t word) const {
    return {rows_.data() + begin_of(word), begin_of(word + 1) - begin_of(word)};
  }

  // The distribution of a change of the word's mean over these rows. Adding shares[i] · x to each
  // moves the mean by x, repetitions counted. Rows of few words get larger shares, so that a word
  // can move without moving all similar words.
  const float* shares_of(int64_t word) const { return shares_.data() + begin_of(word); }

  // The row of a bucket, or −1.
  int64_t row_of_bucket(int64_t bucket) const;

 private:
  size_t begin_of(int64_t word) const { return first_[static_cast<size_t>(word)]; }
  void choose_rows(const Vocabulary& vocabulary);
  void compute_shares();

  std::vector<size_t> first_;  // each word's first index in rows_ and shares_, and the end
  std::vector<int32_t> rows_;
  std::vector<float> shares_;
  tsl::robin_map<int32_t, int32_t> row_of_bucket_;
};

// The rows of words as inputs, with their optimizer moments.
struct WordRows {
  Matrix& matrix;
  Matrix& moments;
};

// One object per thread.
//
// Distribution: word w was composed as c and trained k times to t; meanwhile other words have moved
// the mean of its rows to m. The mean is moved by
//
//   (t − c) − k/(k + κ) · (m − c),   κ = 20.
//
// A word trained a few times adds its change to those of others, as if each were trained alone. A
// word trained often has converged and must not be moved by others; and a change that a thousand
// words require of the rows they share is made once, not a thousand times. See
// docs/experiments/subwords.md.
class ComposedWords {
 public:
  // `rows`: V, laid out by `index`. `moments`: the optimizer's moments, a row per word; no rows for
  // SGD. All must outlive the object.
  ComposedWords(const SubwordIndex& index, Matrix& rows, Matrix& moments);

  // Composes the words of tokens begin .. end − 1 of `sequence` and sets these tokens' rows.
  void compose(Sequence& sequence, int64_t begin, int64_t end);

  // The rows to train between compose() and distribute_changes(), indexed by Sequence::rows.
  WordRows rows() { return {composed_, moments_of_composed_}; }

  // Distributes the changes since compose() to the rows of V.
  void distribute_changes();

 private:
  std::span<const int32_t> rows_of(int64_t place) const {
    return index_.rows_of(words_[static_cast<size_t>(place)]);
  }

  const SubwordIndex& index_;
  Matrix& rows_;
  Matrix& moments_;
  std::vector<int32_t> words_;  // the distinct words of the piece, in order of first occurrence
  std::vector<int32_t> times_;  // their numbers of occurrences
  Matrix start_, composed_;     // a row per entry of words_: c and t
  Matrix moments_of_composed_;
};

// The vectors of all words, composed of `rows`. Other threads may train concurrently.
Matrix compose_all(const SubwordIndex& index, const Matrix& rows);

// Finds rows that compose to given vectors. On entry the own row of each of `words` in `rows` is
// the word's vector. On return the mean of the word's rows is that vector, and the rows of n-grams
// reflect the words that contain them.
void decompose(const SubwordIndex& index, const std::vector<int32_t>& words, Matrix& rows);

}  // namespace acevec
