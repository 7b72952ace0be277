// Tests of noise/count_classes.

#include "noise/count_classes.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("words with equal counts share a class, the most frequent class first") {
  const CountClasses classes = count_classes({2, 7, 2, 1, 7, 2});
  CHECK(classes.sizes == std::vector<double>{2, 3, 1});
  CHECK(classes.unigram == std::vector<double>{7.0 / 21, 2.0 / 21, 1.0 / 21});
  CHECK(classes.of_word == std::vector<int32_t>{1, 0, 1, 2, 0, 1});
  CHECK(classes.words == 6);
}

TEST_CASE("sorted counts give the classes that unsorted ones give") {
  const CountClasses classes = count_classes({7, 7, 2, 2, 2, 1});
  CHECK(classes.sizes == std::vector<double>{2, 3, 1});
  CHECK(classes.of_word == std::vector<int32_t>{0, 0, 1, 1, 1, 2});
}

TEST_CASE("one word is one class") {
  const CountClasses classes = count_classes({int64_t{1} << 62});
  CHECK(classes.sizes == std::vector<double>{1});
  CHECK(classes.unigram == std::vector<double>{1});
}

}  // namespace acevec
