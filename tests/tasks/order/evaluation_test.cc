// Thresholds, accuracies and rankings by hand.

#include "tasks/order/evaluation.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace acevec {
namespace {

// Concept i as one number: the penalty of (a, b) is max(0, b − a)².
Matrix line_of(const std::vector<float>& places) {
  Matrix vectors(static_cast<int64_t>(places.size()), 1);
  for (size_t i = 0; i < places.size(); ++i) vectors.row(static_cast<int64_t>(i))[0] = places[i];
  return vectors;
}

}  // namespace

TEST_CASE("the threshold lies between the last true and the first false penalty") {
  const Matrix vectors = line_of({0, 1, 2, 3});
  const LabelledPairs pairs{{{0, 0}, {0, 1}}, {{0, 2}, {0, 3}}};  // penalties 0, 1 and 4, 9
  const Threshold threshold = best_threshold({vectors}, pairs);
  CHECK(threshold.penalty == 2.5F);
  CHECK(threshold.accuracy == 1);
  CHECK(accuracy({vectors}, pairs, 2.5F) == 1);
  CHECK(accuracy({vectors}, pairs, 4) == 0.75);  // at most the threshold is true
  CHECK(accuracy({vectors}, pairs, 0.5F) == 0.75);
}

TEST_CASE("equal penalties are never parted") {
  const Matrix vectors = line_of({0, 1, 2});
  // True and false at 1, one more true there: best is to take all three.
  const LabelledPairs pairs{{{0, 1}, {0, 1}}, {{0, 1}, {0, 2}}};
  const Threshold threshold = best_threshold({vectors}, pairs);
  CHECK(threshold.penalty == 2.5F);
  CHECK(threshold.accuracy == 0.75);
}

TEST_CASE("a threshold is above 0, so that vectors can be scaled to it") {
  const Matrix vectors = line_of({0, 0, 0});
  const Threshold threshold = best_threshold({vectors}, {{{0, 1}}, {{0, 2}}});
  CHECK(threshold.penalty > 0);
  CHECK(std::isfinite(1 / std::sqrt(threshold.penalty)));
}

TEST_CASE("average precision of rankings worked out by hand") {
  // From 0, penalties of 1 .. 5 are 1, 4, 9, 9, 16.
  const Matrix vectors = line_of({0, 1, 2, 3, 3, 4});
  // True: 1, 3 and 5. 3 ranks behind 4, which is false and its equal: precisions 1/1, 2/4, 3/5.
  const ExactPairs truth(6, std::vector<ObservedPair>{{0, 1}, {0, 3}, {0, 5}});
  // Held out: 3 and 5; with 1 left out 1/3 and 2/4.
  const RankingScore score = rank_generals({vectors}, truth, {{0, 5}, {0, 3}}, 10, 2);
  CHECK(score.concepts == 1);
  CHECK(score.all == doctest::Approx((1 + 0.5 + 0.6) / 3));
  CHECK(score.held_out == doctest::Approx((1.0 / 3 + 0.5) / 2));
}

TEST_CASE("no more concepts are ranked than asked for") {
  const Matrix vectors = line_of({0, 1, 2});
  const ExactPairs truth(3, std::vector<ObservedPair>{{0, 1}, {1, 2}});
  CHECK(rank_generals({vectors}, truth, {{0, 1}, {1, 2}}, 1, 1).concepts == 1);
  CHECK(rank_generals({vectors}, truth, {}, 5, 1).concepts == 0);
}

}  // namespace acevec
