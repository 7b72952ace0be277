// What completes a triple, on a graph small enough to see.

#include "tasks/kg/known_triples.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec {

TEST_CASE("answers are the entities that complete a triple") {
  const std::vector<Triple> some{{0, 0, 1}, {0, 0, 3}, {2, 0, 1}, {0, 1, 2}};
  const std::vector<Triple> more{{0, 0, 2}, {0, 0, 1}};
  const KnownTriples answers(5, {some, more});
  const auto of = [&](Side side, const Triple& triple) {
    const auto found = answers.at(side).of(triple);
    return std::vector<int32_t>(found.begin(), found.end());
  };
  CHECK(of(Side::kTail, {0, 0, 4}) == std::vector<int32_t>{1, 2, 3});
  CHECK(of(Side::kTail, {0, 1, 4}) == std::vector<int32_t>{2});
  CHECK(of(Side::kTail, {1, 0, 4}).empty());
  CHECK(of(Side::kTail, {4, 7, 0}).empty());
  CHECK(of(Side::kHead, {4, 0, 1}) == std::vector<int32_t>{0, 2});
  CHECK(answers.tails.contains({0, 0, 3}));
  CHECK(answers.heads.contains({0, 0, 3}));
  CHECK_FALSE(answers.tails.contains({0, 1, 3}));
  CHECK_FALSE(answers.heads.contains({3, 0, 0}));
}

TEST_CASE("bits before the lists change nothing of what is contained") {
  constexpr int32_t kEntities = 12, kRelations = 3;
  std::vector<Triple> triples, all;
  Random random(3);
  for (int32_t h = 0; h < kEntities; ++h) {
    for (int32_t r = 0; r < kRelations; ++r) {
      for (int32_t t = 0; t < kEntities; ++t) {
        all.push_back({h, r, t});
        if (random.below(4) == 0) triples.push_back({h, r, t});
      }
    }
  }
  const KnownTriples answers(kEntities, {triples});
  for (const Triple& triple : all) {
    const bool wanted = std::find(triples.begin(), triples.end(), triple) != triples.end();
    CHECK(answers.contains(triple) == wanted);
  }
  CHECK_FALSE(KnownTriples(kEntities, {}).contains(all[0]));
}

}  // namespace acevec
