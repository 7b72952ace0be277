// The rows of V that each word of a vocabulary is composed of, if words have subwords.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "text/vocabulary.h"
#include "vectors/subwords.h"

namespace acevec {

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

}  // namespace acevec
