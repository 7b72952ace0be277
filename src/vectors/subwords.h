// fastText's subwords: the n-grams of a word's characters, hashed to buckets, and the rows of
// buckets, which compose the vectors of unseen words.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "math/matrix.h"

namespace acevec {

inline constexpr int64_t kLongestNgram = 100;  // characters; words have many n-grams then

// A word's vector is the mean of its own row and of a row for each of its n-grams (Bojanowski,
// Grave, Joulin and Mikolov 2017, Section 3.2).
struct SubwordShape {
  int64_t shortest = 0;  // -minn, characters of the shortest n-gram
  int64_t longest = 0;   // -maxn, of the longest; 0: words have no n-grams
  int64_t buckets = 0;   // -bucket, rows that n-grams are hashed to

  bool any() const { return longest > 0 && buckets > 0; }
};

// Appends the bucket, 0 .. shape.buckets − 1, of each n-gram of "<word>", in fastText's order and
// with its hash, so that models are interchangeable; of an n-gram that occurs twice, two. A
// character is a byte with the UTF-8 continuation bytes behind it. The boundary marks alone are no
// n-grams, and fastText's mark of line ends, "</s>", has none.
void append_subwords(std::string_view word, const SubwordShape& shape,
                     std::vector<int32_t>& buckets);

class SubwordRows {
 public:
  using RowOfBucket = std::unordered_map<int32_t, int32_t>;

  // `rows` has a row for each of shape.buckets buckets, or for those in `kept` if that is given;
  // then n-grams in other buckets do not count.
  SubwordRows(const SubwordShape& shape, Matrix rows, std::optional<RowOfBucket> kept = {})
      : shape_(shape), rows_(std::move(rows)), kept_(std::move(kept)) {}

  // vector = the mean of `own` (null: the word has no row of its own) and the rows of the word's
  // n-grams. `own` may be `vector`. Returns false, and leaves `vector`, when there are no rows.
  bool compose(std::string_view word, const float* own, float* vector) const;

 private:
  SubwordShape shape_;
  Matrix rows_;
  std::optional<RowOfBucket> kept_;
};

}  // namespace acevec
