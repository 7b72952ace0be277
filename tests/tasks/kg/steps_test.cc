// A step against finite differences of the loss.

#include "tasks/kg/steps.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace acevec::kg_steps_test {
namespace {

constexpr int64_t kSize = 12;

// Two of each triple's negatives are noise, the last one is the adversary's.
constexpr int64_t kPlaces = 3;
const std::vector<Triple> kPositives{{0, 0, 1}, {2, 1, 1}, {0, 1, 3}};
const std::vector<Negative> kNegatives{{Side::kTail, 4, 0.5F},
                                       {Side::kHead, 1, 0.25F},
                                       {},  // one is missing
                                       {Side::kHead, 0, 1},
                                       {Side::kTail, 2, 0.3F},
                                       {Side::kTail, 9, 1},  //
                                       {Side::kTail, 5, 1},
                                       {},
                                       {Side::kTail, 5, 1}};

// Of tasks/kg/settings.h, in double: `weighted`, or of the noise alone.
double loss_of(KgLossKind kind, const KgModel& model, float margin, bool weighted) {
  double sum = 0;
  for (size_t i = 0; i < kNegatives.size(); ++i) {
    const Negative& negative = kNegatives[i];
    if (negative.entity < 0 || (!weighted && i % kPlaces == kPlaces - 1)) continue;
    const Triple& positive = kPositives[i / kPlaces];
    const Triple other_one = replaced(positive, negative.side, negative.entity);
    const double truth = double{model.distance(positive)};
    const double falsehood = double{model.distance(other_one)};
    const double part = kind == KgLossKind::kMargin
                            ? std::max(0.0, double{margin} + truth - falsehood)
                            : std::log(1 + std::exp(truth - double{margin})) +
                                  std::log(1 + std::exp(double{margin} - falsehood));
    sum += (weighted ? double{negative.weight} : 1) * part;
  }
  return sum;
}

Sums step(KgSteps& steps, int64_t number, float rate) {
  Random random(1);
  return steps.step(number, rate, kPositives, random,
                    [](int64_t i, Random&, std::span<Negative> places) {
                      std::copy_n(kNegatives.begin() + i * kPlaces, kPlaces, places.begin());
                    });
}

// Every score with every loss that is a sum over pairs.
std::vector<std::pair<ScoreKind, KgLossKind>> all_pairs() {
  std::vector<std::pair<ScoreKind, KgLossKind>> pairs;
  for (const ScoreKind score : kScoreKinds) {
    for (const KgLossKind loss : {KgLossKind::kMargin, KgLossKind::kNs}) {
      if (!traits_of(score).learns_pairs) continue;
      pairs.emplace_back(score, loss);
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("a plain step goes down the loss by its gradient") {
  for (const auto& pair : all_pairs()) {
    const ScoreKind kind = pair.first;  // CAPTURE cannot take structured bindings
    const KgLossKind loss_kind = pair.second;
    CAPTURE(std::string(traits_of(kind).name));
    CAPTURE(static_cast<int>(loss_kind));
    KgModel model = initial_model({kind, kSize}, 10, 2, 1);
    const KgModel before = initial_model({kind, kSize}, 10, 2, 1);
    KgSettings settings;
    settings.loss = loss_kind;
    settings.margin = 0.4F;  // some of the losses are 0
    settings.max_norm = 0;
    settings.optimizer = {OptimizerKind::kSgd, 1};
    settings.batch = 3;
    settings.negatives = 2;
    settings.adversary.emplace().noise_weight = 0.5;
    Matrix none = Optimizer::moments_for(settings.optimizer, 10, model.entities.stride());
    KgSteps steps(model, none, none, settings);
    REQUIRE(loss_of(loss_kind, before, 0.4F, true) > 0);
    const Sums sums = step(steps, 1, 1);
    CHECK(sums.means[0].count == 5);
    CHECK(sums.means[1].count == 2);
    CHECK(sums.loss.sum == doctest::Approx(loss_of(loss_kind, before, 0.4F, false)).epsilon(1e-4));

    KgModel at = initial_model({kind, kSize}, 10, 2, 1);
    constexpr float kStep = 1e-3F;
    double worst = 0;
    double most = 0;
    for (Matrix KgModel::*matrix : {&KgModel::entities, &KgModel::relations}) {
      for (int64_t i = 0; i < (at.*matrix).rows() * (at.*matrix).stride(); ++i) {
        float& value = (at.*matrix).row(0)[i];
        if (i % padded(kSize) >= kSize) continue;
        const float old = value;
        value = old + kStep;
        const double above = loss_of(loss_kind, at, 0.4F, true);
        value = old - kStep;
        const double below = loss_of(loss_kind, at, 0.4F, true);
        value = old;
        const double change = static_cast<double>((model.*matrix).row(0)[i]) -
                              static_cast<double>((before.*matrix).row(0)[i]);
        worst = std::max(worst, std::abs(change + (above - below) / 2e-3));
        most = std::max(most, std::abs(change));
      }
    }
    CHECK(most > 0.1);
    CHECK(worst < 5e-3);
  }
}

}  // namespace acevec::kg_steps_test
