// The rows that words are composed of, and their shares of a change.

#include "tasks/word/composed_words.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace acevec::subword_index_test {
namespace {

constexpr SubwordShape kShape{3, 4, 1000};

Vocabulary vocabulary() {
  return {{{"running", 9}, {"runner", 7}, {"aaaaaaaaaa", 5}, {"x", 1}}, 1, 0};
}

}  // namespace

TEST_CASE("a word's rows are its own and those of its n-grams' buckets") {
  const Vocabulary words = vocabulary();
  const SubwordIndex index(words, kShape);
  CHECK(index.words() == words.size());
  for (int32_t word = 0; word < words.size(); ++word) {
    std::vector<int32_t> buckets;
    append_subwords(words.word(word), kShape, buckets);
    const auto rows = index.rows_of(word);
    REQUIRE(rows.size() == buckets.size() + 1);
    CHECK(rows[0] == word);
    for (size_t i = 0; i < buckets.size(); ++i) {
      CHECK(rows[i + 1] >= index.words());
      CHECK(rows[i + 1] < index.rows());
      CHECK(index.row_of_bucket(buckets[i]) == rows[i + 1]);
    }
  }
  const SubwordIndex none(words, {});
  CHECK(none.rows() == words.size());
  CHECK(none.rows_of(1).size() == 1);
}

TEST_CASE("adding a word's shares of a change moves its mean by the change, repetitions too") {
  const Vocabulary words = vocabulary();
  const SubwordIndex index(words, kShape);
  for (int32_t word = 0; word < words.size(); ++word) {
    const auto rows = index.rows_of(word);
    std::vector<double> at(static_cast<size_t>(index.rows()), 0.0);
    for (size_t i = 0; i < rows.size(); ++i) {
      at[static_cast<size_t>(rows[i])] += double{index.shares_of(word)[i]};
    }
    double moved = 0;
    for (const int32_t row : rows) moved += at[static_cast<size_t>(row)];
    CHECK(moved / static_cast<double>(rows.size()) == doctest::Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("the rows of n-grams come by how often the text has them") {
  const Vocabulary words({{"abc", 5}, {"xyz", 4}, {"xyzu", 3}}, 1, 0);
  const SubwordShape shape{3, 3, 1000000};
  const SubwordIndex index(words, shape);
  std::vector<int64_t> uses(static_cast<size_t>(index.rows()), 0);
  for (int32_t word = 0; word < words.size(); ++word) {
    for (const int32_t row : index.rows_of(word).subspan(1)) {
      uses[static_cast<size_t>(row)] += words.count(word);
    }
  }
  CHECK(uses[static_cast<size_t>(index.words())] == 7);  // "<xy" and "xyz", of two words
  CHECK(std::is_sorted(uses.begin() + index.words(), uses.end(), std::greater<>()));
}

}  // namespace acevec::subword_index_test
