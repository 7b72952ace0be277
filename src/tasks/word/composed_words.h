// Training of words that are composed of subwords. Updating a dozen rows for each token would take
// most of the time. So each word of a piece of text is composed once and trained as a row of its
// own. Its change is distributed to its rows at the end of the piece.
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
// V has a row for each word, then one for each bucket that an n-gram of some word falls into, the
// most used first: rows that are used together lie together, and buckets that no word needs take
// no memory.
class SubwordIndex {
 public:
  // No rows beyond the words' when `shape` has no n-grams.
  SubwordIndex(const Vocabulary& vocabulary, const SubwordShape& shape);

  int64_t words() const { return std::ssize(first_) - 1; }
  int64_t rows() const { return words() + std::ssize(row_of_bucket_); }

  // Of a word: its own row, then those of its n-grams, with repetitions.
  std::span<const int32_t> rows_of(int64_t word) const {
    return {rows_.data() + begin_of(word), begin_of(word + 1) - begin_of(word)};
  }

  // How a change of the word's mean is shared out among these rows. Adding shares[i] · x to each
  // moves the mean by x, repetitions counted. Rows that few words have take more of it, so that a
  // word can move without moving all that look like it.
  const float* shares_of(int64_t word) const { return shares_.data() + begin_of(word); }

  // The row of a bucket, or −1.
  int64_t row_of_bucket(int64_t bucket) const;

 private:
  size_t begin_of(int64_t word) const { return first_[static_cast<size_t>(word)]; }
  void choose_rows(const Vocabulary& vocabulary);
  void share_out();

  std::vector<size_t> first_;  // of each word, in rows_ and shares_, and one more
  std::vector<int32_t> rows_;
  std::vector<float> shares_;
  tsl::robin_map<int32_t, int32_t> row_of_bucket_;
};

// The rows that words have on their side, with what the optimizer remembers of them.
struct WordRows {
  Matrix& matrix;
  Matrix& moments;
};

// One object per thread.
//
// Handing down: word w was composed as c, trained k times to t, and its rows' mean is m by now,
// since other words have moved some of them. Its mean is moved by
//
//   (t − c) − k/(k + κ) · (m − c),   κ = 20.
//
// A word that was trained a few times adds its change to those of others, as if each had been
// trained alone. One that was trained often has found its place, which others must not move: and
// what rows shared by a thousand words need to move is done once and not a thousand times. See
// docs/experiments/subwords.md.
class ComposedWords {
 public:
  // `rows`: V, as `index` has its rows. `moments`: what the optimizer remembers of words, a row for
  // each; none for plain steps. All must outlive the object.
  ComposedWords(const SubwordIndex& index, Matrix& rows, Matrix& moments);

  // Composes the words of tokens begin .. end − 1 of `sequence` and sets these tokens' rows.
  void compose(Sequence& sequence, int64_t begin, int64_t end);

  // What to train in between: sequence.rows are rows of it.
  WordRows rows() { return {composed_, moments_of_composed_}; }

  // Hands down what has changed since compose().
  void hand_down();

 private:
  void list_words(Sequence& sequence, int64_t begin, int64_t end);
  std::span<const int32_t> rows_of(int64_t place) const {
    return index_.rows_of(words_[static_cast<size_t>(place)]);
  }

  const SubwordIndex& index_;
  Matrix& rows_;
  Matrix& moments_;
  std::vector<int32_t> places_;  // of each word in words_; −1: not there
  std::vector<int32_t> words_;   // of the piece, each once
  std::vector<int32_t> times_;   // how often the piece has them
  Matrix start_, composed_;      // rows by place: c and t
  Matrix moments_of_composed_;
};

// The vectors of all words, composed of `rows`. Other threads may train meanwhile.
Matrix compose_all(const SubwordIndex& index, const Matrix& rows);

// About what composing takes: the words of a piece on each thread, and all of them for the output.
int64_t composed_bytes(int64_t words, int64_t size, int threads);

// Finds rows for words whose vectors are given. Before: the own row of each of `words` in `rows` is
// its vector. After: it is what makes the word's mean that vector, and the rows of n-grams tell of
// the words that have them.
void decompose(const SubwordIndex& index, const std::vector<int32_t>& words, Matrix& rows);

}  // namespace acevec
