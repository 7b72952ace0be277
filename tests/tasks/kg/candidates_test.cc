// Distances of many questions to all entities against those of single triples.

#include "tasks/kg/candidates.h"

#include <vector>

#include <doctest/doctest.h>
#include "tasks/kg/asked_distance.h"

namespace acevec::candidates_test {
namespace {

constexpr int32_t kEntities = 1031;  // more than are looked at together

std::vector<float> all_distances(QuestionBatch& questions, size_t i) {
  std::vector<float> distances;
  questions.for_each_block([&](int64_t first, int64_t count) {
    REQUIRE(first == std::ssize(distances));
    distances.insert(distances.end(), questions.distances(i), questions.distances(i) + count);
  });
  REQUIRE(std::ssize(distances) == kEntities);
  return distances;
}

}  // namespace

TEST_CASE("the distances of questions are those of triples, the same bits in any company") {
  for (const ScoreKind kind : kScoreKinds) {
    const KgModel model = initial_model({kind, 38}, kEntities, 2, 7);
    const Candidates candidates(model);
    QuestionBatch many(candidates), alone(candidates);
    for (int32_t i = 0; i < QuestionBatch::kMost; ++i) {
      many.add(i % 2 == 0 ? Side::kHead : Side::kTail, {i, i % 2, i});
    }
    for (const int32_t i : {0, 7, 63}) {
      const Side side = i % 2 == 0 ? Side::kHead : Side::kTail;
      const Triple triple{i, i % 2, i};
      alone.clear();
      alone.add(side, triple);
      const std::vector<float> distances = all_distances(many, static_cast<size_t>(i));
      CHECK(distances == all_distances(alone, 0));
      for (const int32_t id : {0, 5, 511, 512, 1027, 1028, 1030}) {
        const float one = distances[static_cast<size_t>(id)];
        const float wanted = asked_distance(model, side, replaced(triple, side, id));
        CHECK(one == doctest::Approx(wanted).epsilon(1e-4));
        CHECK(one == alone.distance(0, id));
      }
    }
  }
}

TEST_CASE("ids within a range are those from its first to before its end") {
  const std::vector<int32_t> ids{3, 5, 8, 512};
  const auto within = [&](int64_t first, int64_t count) {
    const std::span<const int32_t> some = ids_within(ids, first, count);
    return std::vector<int32_t>(some.begin(), some.end());
  };
  CHECK(within(0, 512) == std::vector<int32_t>{3, 5, 8});
  CHECK(within(512, 512) == std::vector<int32_t>{512});
  CHECK(within(5, 3) == std::vector<int32_t>{5});
  CHECK(within(9, 3).empty());
  CHECK(ids_within({}, 0, 512).empty());
}

}  // namespace acevec::candidates_test
