// fastText's subwords: the character n-grams of a word, hashed to buckets, and the rows of buckets,
// which compose the vectors of unseen words.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "math/matrix.h"

namespace acevec {

inline constexpr int64_t kLongestNgram = 100;  // in characters; a word then has many n-grams

// A word's vector is the mean of its own row and of the rows of its n-grams (Bojanowski, Grave,
// Joulin and Mikolov 2017, Section 3.2).
struct SubwordShape {
  int64_t shortest = 0;  // -minn, characters of the shortest n-gram
  int64_t longest = 0;   // -maxn, characters of the longest; 0: no n-grams
  int64_t buckets = 0;   // -bucket, number of rows to which n-grams are hashed

  bool any() const { return longest > 0 && buckets > 0; }
};

// Appends the bucket, 0 .. shape.buckets − 1, of each n-gram of "<word>", in fastText's order and
// with its hash, so that models are interchangeable; repeated n-grams are appended repeatedly. A
// character is a byte and the UTF-8 continuation bytes after it. The boundary marks alone are not
// n-grams, and fastText's line end, "</s>", has none.
void append_subwords(std::string_view word, const SubwordShape& shape,
                     std::vector<int32_t>& buckets);

class SubwordRows {
 public:
  // `rows` has a row for each of shape.buckets buckets.
  SubwordRows(const SubwordShape& shape, Matrix rows) : shape_(shape), rows_(std::move(rows)) {}

  // Sets `vector` to the mean of `own` (null: the word has no row) and the rows of the word's
  // n-grams. `own` may be `vector`. Returns false, and leaves `vector` unchanged, when there are no
  // rows.
  bool compose(std::string_view word, const float* own, float* vector) const;

 private:
  SubwordShape shape_;
  Matrix rows_;
};

}  // namespace acevec
