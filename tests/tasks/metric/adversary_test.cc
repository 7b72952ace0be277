// The generator of metric/adversary: where it begins, what it never chooses, and what it learns.

#include "tasks/metric/adversary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "tasks/metric/loss.h"
#include "tasks/metric/points_on_a_line.h"

namespace acevec::points_on_a_line {
namespace {

MetricSettings settings_of(float beta, double lambda, int64_t negatives) {
  MetricSettings settings;
  settings.beta = beta;
  settings.lambda = lambda;
  settings.negatives = negatives;
  settings.margin = 1;
  settings.batch = kRows;
  return settings;
}

const std::vector<int32_t> kPoints{10, 11, 12, 13, 14, 15, 16, 17};

}  // namespace

TEST_CASE(
    "a generator begins as the critic, mixes in noise by lambda, and never chooses the same "
    "class") {
  const Line line;
  constexpr float kBeta = 0.5F;
  const auto draw = [&](double lambda) {
    return frequencies([&](int64_t count, int32_t* all) {
      const MetricSettings settings = settings_of(kBeta, lambda, count);
      GeneratorParameters parameters(metric_generator(settings, 20, 1));
      Random random(3);
      MetricAdversary(parameters, settings).choose(line.batch(), kPoints.data(), random, all);
    });
  };
  double sum = 0;
  for (size_t j = 3; j < kRows; ++j) sum += std::exp(-double{kBeta * line.squares[j]});
  for (const double lambda : {0.0, 0.4, 1.0}) {
    auto shares = draw(lambda);
    CHECK(shares.count(0) + shares.count(1) + shares.count(2) + shares.count(-1) == 0);
    for (int32_t j = 3; j < kRows; ++j) {
      const double g = std::exp(-double{kBeta * line.squares[static_cast<size_t>(j)]}) / sum;
      CHECK(std::abs(shares[j] - (lambda / 5 + (1 - lambda) * g)) < 0.015);
    }
  }
}

TEST_CASE("the generator learns which points cost the anchor most") {
  const Line line;
  const MetricSettings settings = settings_of(0, 0, 1);  // from nothing
  double best = 0;  // mean over the anchors of what their dearest point costs
  for (size_t i = 0; i < kRows; ++i) {
    float most = 0;
    for (size_t j = 0; j < kRows; ++j) {
      if (kClasses[i] == kClasses[j]) continue;
      const float* const squares = line.squares.data() + i * kRows;
      most = std::max(most, triplet_loss(settings.margin, squares[kPositives[i]], squares[j]));
    }
    best += double{most} / kRows;
  }
  GeneratorParameters parameters(metric_generator(settings, 20, 1));
  MetricAdversary adversary(parameters, settings);
  Random random(4);
  const auto turns = [&](int64_t count) {
    std::vector<int32_t> all(kRows);
    for (int64_t i = 0; i < count; ++i) {
      adversary.choose(line.batch(), kPoints.data(), random, all.data());
    }
    return adversary.take_report();
  };
  const PolicyReport first = turns(1);
  turns(4000);
  const PolicyReport last = turns(20);
  CHECK(first.conditions == kRows);
  const double reward = first.reward / first.conditions;
  CHECK(last.reward / last.conditions > reward + 0.6 * (best - reward));
  CHECK(last.entropy / last.conditions < first.entropy / first.conditions);
}

}  // namespace acevec::points_on_a_line
