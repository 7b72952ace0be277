// Every way to choose negatives against its definition, on points placed by hand.

#include "tasks/metric/negatives.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
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

// What the anchor at 0 gets.
std::vector<int32_t> chosen(NegativeKind kind, int64_t count) {
  const Line line;
  Random random(1);
  std::vector<int32_t> all(static_cast<size_t>(kRows * count));
  choose_negatives(kind, settings_of(1, 1, count), line.batch(), {0, kRows}, random, all.data());
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t k = i * count; k < (i + 1) * count; ++k) {
      const int32_t j = all[static_cast<size_t>(k)];
      if (j >= 0) CHECK(kClasses[static_cast<size_t>(j)] != kClasses[static_cast<size_t>(i)]);
    }
  }
  return {all.begin(), all.begin() + count};
}

const std::vector<int32_t> kPoints{10, 11, 12, 13, 14, 15, 16, 17};

}  // namespace

TEST_CASE("hardest, semi-hard and uncertain give the best, in order, never of the same class") {
  CHECK(chosen(NegativeKind::kHardest, 2) == std::vector<int32_t>{3, 4});
  // The positive is at 2: behind it come 2.2, 3 and 9, then the farthest before it.
  CHECK(chosen(NegativeKind::kSemiHard, 4) == std::vector<int32_t>{5, 6, 7, 4});
  // |d⁻ − d⁺|, squared distances with d⁺ = 4: 0.39 at 1.9, 0.84 at 2.2, 3 at 1, 5 at 3.
  CHECK(chosen(NegativeKind::kUncertain, 4) == std::vector<int32_t>{4, 5, 3, 6});
  CHECK(chosen(NegativeKind::kHardest, 7) == std::vector<int32_t>{3, 4, 5, 6, 7, -1, -1});
}

TEST_CASE("semi-hard falls back to the farthest when all are nearer than the positive") {
  const Line line;
  const std::vector<int32_t> positives{7, 0, 0, 4, 3, 6, 5, 5};  // at 9, though of another class
  const std::vector<int32_t> classes{0, 0, 0, 1, 1, 2, 2, 0};
  Random random(1);
  std::vector<int32_t> all(kRows);
  choose_negatives(NegativeKind::kSemiHard, settings_of(1, 1, 1),
                   {line.squares.data(), classes.data(), positives.data(), kRows}, {0, kRows},
                   random, all.data());
  CHECK(all[0] == 6);
}

TEST_CASE("uniform and critic draw with their probabilities") {
  const Line line;
  const auto draw = [&](NegativeKind kind, float beta) {
    return frequencies([&](int64_t count, int32_t* all) {
      Random random(2);
      choose_negatives(kind, settings_of(beta, 1, count), line.batch(), {0, kRows}, random, all);
    });
  };
  auto uniform = draw(NegativeKind::kUniform, 1);
  CHECK(uniform.size() == 5);
  for (int32_t j = 3; j < kRows; ++j) CHECK(uniform[j] == doctest::Approx(0.2).epsilon(0.1));
  constexpr float kBeta = 0.3F;
  auto critic = draw(NegativeKind::kCritic, kBeta);
  double sum = 0;
  for (size_t j = 3; j < kRows; ++j) sum += std::exp(-double{kBeta * line.squares[j]});
  for (int32_t j = 3; j < kRows; ++j) {
    const double wanted = std::exp(-double{kBeta * line.squares[static_cast<size_t>(j)]}) / sum;
    CHECK(std::abs(critic[j] - wanted) < 0.01);
  }
  CHECK(critic.count(0) + critic.count(1) + critic.count(2) == 0);
}

TEST_CASE("who has no point of another class gets none") {
  const Line line;
  const std::vector<int32_t> classes(kRows, 0);
  for (const NegativeKind kind :
       {NegativeKind::kUniform, NegativeKind::kHardest, NegativeKind::kSemiHard,
        NegativeKind::kUncertain, NegativeKind::kCritic}) {
    Random random(1);
    std::vector<int32_t> all(2 * kRows, 5);
    choose_negatives(kind, settings_of(1, 1, 2),
                     {line.squares.data(), classes.data(), kPositives.data(), kRows}, {0, kRows},
                     random, all.data());
    CHECK(std::all_of(all.begin(), all.end(), [](int32_t j) { return j == -1; }));
  }
}

TEST_CASE(
    "a generator begins as the critic, mixes in noise by lambda, and never chooses the same "
    "class") {
  const Line line;
  constexpr float kBeta = 0.5F;
  const auto draw = [&](double lambda) {
    return frequencies([&](int64_t count, int32_t* all) {
      const MetricSettings settings = settings_of(kBeta, lambda, count);
      Random random(3);
      MetricAdversary(settings, 20, 1).choose(line.batch(), kPoints.data(), random, all);
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
  MetricAdversary adversary(settings, 20, 1);
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
