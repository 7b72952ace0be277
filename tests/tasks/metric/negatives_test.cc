// Every way to choose negatives against its definition, on points placed by hand.

#include "tasks/metric/negatives.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <doctest/doctest.h>
#include "tasks/metric/adversary.h"
#include "tasks/metric/loss.h"

namespace acevec::negatives_test {
namespace {

// On a line: an anchor at 0 and its positive at 2 (class 0), another of the class at 0.1, and
// others at distances 1, 1.9, 2.2, 3 and 9.
const std::vector<float> kPlaces{0, 2, 0.1F, 1, 1.9F, 2.2F, 3, 9};
const std::vector<int32_t> kClasses{0, 0, 0, 1, 1, 2, 2, 2};
const std::vector<int32_t> kPositives{1, 0, 0, 4, 3, 6, 5, 5};
constexpr int64_t kRows = 8;

struct Line {
  std::vector<float> vectors, squares;

  Line() : vectors(kRows * kRowPadding), squares(kRows * kRows) {
    for (size_t i = 0; i < kRows; ++i) {
      vectors[i * kRowPadding] = kPlaces[i];
      for (size_t j = 0; j < kRows; ++j) {
        squares[i * kRows + j] = (kPlaces[i] - kPlaces[j]) * (kPlaces[i] - kPlaces[j]);
      }
    }
  }

  BatchDistances batch() const {
    return {squares.data(), kClasses.data(), kPositives.data(), kRows, vectors.data(), kRowPadding};
  }
};

// What the anchor at 0 gets.
std::vector<int32_t> chosen(NegativeKind kind, int64_t count) {
  const Line line;
  Random random(1);
  std::vector<int32_t> all(static_cast<size_t>(kRows * count));
  NegativeChoice(kind, 1, kRows).choose(line.batch(), count, random, all.data());
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t k = i * count; k < (i + 1) * count; ++k) {
      const int32_t j = all[static_cast<size_t>(k)];
      if (j >= 0) CHECK(kClasses[static_cast<size_t>(j)] != kClasses[static_cast<size_t>(i)]);
    }
  }
  return {all.begin(), all.begin() + count};
}

// How often each row is drawn for the anchor at 0, of many draws.
template <class Choose>
std::map<int32_t, double> frequencies(Choose&& choose) {
  constexpr int64_t kDraws = 20000;
  std::vector<int32_t> all(kRows * kDraws);
  choose(kDraws, all.data());
  std::map<int32_t, double> shares;
  for (int64_t k = 0; k < kDraws; ++k) shares[all[static_cast<size_t>(k)]] += 1.0 / kDraws;
  return shares;
}

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
  NegativeChoice(NegativeKind::kSemiHard, 1, kRows)
      .choose({line.squares.data(), classes.data(), positives.data(), kRows}, 1, random,
              all.data());
  CHECK(all[0] == 6);
}

TEST_CASE("uniform and critic draw with their probabilities") {
  const Line line;
  const auto draw = [&](NegativeKind kind, float beta) {
    return frequencies([&](int64_t count, int32_t* all) {
      Random random(2);
      NegativeChoice(kind, beta, kRows).choose(line.batch(), count, random, all);
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
    NegativeChoice(kind, 1, kRows)
        .choose({line.squares.data(), classes.data(), kPositives.data(), kRows}, 2, random,
                all.data());
    CHECK(std::all_of(all.begin(), all.end(), [](int32_t j) { return j == -1; }));
  }
}

namespace {

MetricAdversarySettings adversary_settings() {
  MetricAdversarySettings settings;
  settings.lambda = 0;
  settings.beta = 0.5F;
  settings.hidden = {8};
  settings.policy.penalty = 5;
  settings.optimizer.rate = 0.02F;
  return settings;
}

constexpr float kMargin = 1;
const std::vector<int32_t> kPoints{10, 11, 12, 13, 14, 15, 16, 17};

}  // namespace

TEST_CASE(
    "a generator begins as the critic, mixes in noise by lambda, and never chooses the same "
    "class") {
  const Line line;
  MetricAdversarySettings settings = adversary_settings();
  const auto draw = [&](double lambda) {
    settings.lambda = lambda;
    GeneratorParameters parameters(metric_generator(settings, 20, 1, 1));
    MetricAdversary adversary(parameters, settings, kRows);
    return frequencies([&](int64_t count, int32_t* all) {
      Random random(3);
      adversary.choose(line.batch(), kPoints.data(), kMargin, count, random, all);
    });
  };
  double sum = 0;
  for (size_t j = 3; j < kRows; ++j) sum += std::exp(-double{settings.beta * line.squares[j]});
  for (const double lambda : {0.0, 0.4, 1.0}) {
    auto shares = draw(lambda);
    CHECK(shares.count(0) + shares.count(1) + shares.count(2) + shares.count(-1) == 0);
    for (int32_t j = 3; j < kRows; ++j) {
      const double g =
          std::exp(-double{settings.beta * line.squares[static_cast<size_t>(j)]}) / sum;
      CHECK(std::abs(shares[j] - (lambda / 5 + (1 - lambda) * g)) < 0.015);
    }
  }
}

TEST_CASE("the generator learns which points cost the anchor most, with both estimators") {
  const Line line;
  double best = 0;  // mean over the anchors of what their dearest point costs
  for (size_t i = 0; i < kRows; ++i) {
    float most = 0;
    for (size_t j = 0; j < kRows; ++j) {
      if (kClasses[i] == kClasses[j]) continue;
      const float* const squares = line.squares.data() + i * kRows;
      most = std::max(most, triplet_loss(kMargin, squares[kPositives[i]], squares[j]));
    }
    best += double{most} / kRows;
  }
  for (const auto estimator :
       {PolicySettings::Estimator::kExact, PolicySettings::Estimator::kReinforce}) {
    MetricAdversarySettings settings = adversary_settings();
    settings.beta = 0;  // from nothing
    settings.policy.estimator = estimator;
    GeneratorParameters parameters(metric_generator(settings, 20, 1, 1));
    MetricAdversary adversary(parameters, settings, kRows);
    Random random(4);
    std::vector<int32_t> all(kRows);
    const auto turns = [&](int64_t count) {
      MetricAdversaryReport sum;
      for (int64_t i = 0; i < count; ++i) {
        adversary.choose(line.batch(), kPoints.data(), kMargin, 1, random, all.data());
        const MetricAdversaryReport report = adversary.take_report();
        sum.reward += report.reward / report.anchors;
        sum.entropy += report.entropy / report.anchors;
      }
      return MetricAdversaryReport{sum.entropy / static_cast<double>(count),
                                   sum.reward / static_cast<double>(count), 1};
    };
    const MetricAdversaryReport first = turns(1);
    turns(estimator == PolicySettings::Estimator::kExact ? 400 : 2000);
    const MetricAdversaryReport last = turns(20);
    CHECK(last.reward > first.reward + 0.6 * (best - first.reward));
    CHECK(last.entropy < first.entropy);
  }
}

}  // namespace acevec::negatives_test
