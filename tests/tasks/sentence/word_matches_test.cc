// Tests of sentence/word_matches: BM25 by hand.

#include "tasks/sentence/word_matches.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace acevec {

TEST_CASE("scores are BM25's, as parts of the best of the query") {
  const std::vector<std::string> texts{"A cat, a cat", "dog", "a dog and more"};  // 5, 1, 4 tokens
  const WordMatches matches({"cat a unseen", "nothing", "dog dog"}, texts, TokenMode::kWords);
  const auto weight = [](double n) { return std::log(1 + (3 - n + 0.5) / (n + 0.5)); };
  const auto score = [&](double n, double count, double length) {
    return weight(n) * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / (10.0 / 3)));
  };
  const double first = score(1, 2, 5) + score(2, 2, 5), third = score(2, 1, 4);
  std::vector<float> scores{1, 1, 1};
  matches.add(0, 0.5, scores.data());
  CHECK(static_cast<double>(scores[0]) == doctest::Approx(1.5));
  CHECK(static_cast<double>(scores[1]) == doctest::Approx(1));
  CHECK(static_cast<double>(scores[2]) == doctest::Approx(1 + 0.5 * third / first));
  matches.add(1, 0.5, scores.data());
  CHECK(static_cast<double>(scores[1]) == doctest::Approx(1));
  matches.add(2, 1, scores.data());
  CHECK(static_cast<double>(scores[1]) == doctest::Approx(2));
}

}  // namespace acevec
