// A step against the definition of the loss.

#include "tasks/order/steps.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec::steps_test {
namespace {

constexpr int64_t kSize = 10;

// Eq. 11, by its definition.
double loss_of(const Matrix& vectors, const std::vector<OrderPair>& positives,
               const std::vector<OrderPair>& negatives, double margin) {
  const auto penalty = [&](const OrderPair& pair) {
    double sum = 0;
    for (int64_t k = 0; k < kSize; ++k) {
      const double over =
          double{vectors.row(pair.general)[k]} - double{vectors.row(pair.specific)[k]};
      sum += std::pow(std::max(0.0, over), 2);
    }
    return sum;
  };
  double loss = 0;
  for (const OrderPair& pair : positives) loss += penalty(pair);
  for (const OrderPair& pair : negatives) loss += std::max(0.0, margin - penalty(pair));
  return loss;
}

}  // namespace

TEST_CASE("a step of gradient descent follows the finite differences of the loss") {
  constexpr float kRate = 1e-2F;
  constexpr float kMargin = 3;
  Matrix vectors(6, kSize);
  Random random(3);
  for (int64_t i = 0; i < 6; ++i) {
    // Far from 0, where steps end.
    for (int64_t k = 0; k < kSize; ++k) vectors.row(i)[k] = 1 + random.uniform();
  }
  const std::vector<OrderPair> positives{{0, 1}, {2, 1}, {0, 1}};
  const std::vector<OrderPair> noise{{0, 3}, {-1, -1}, {1, 0}};  // one is none
  const std::vector<OrderPair> adversarial{{4, 1}};
  const std::vector<OrderPair> negatives{{0, 3}, {1, 0}, {4, 1}};

  std::vector<double> wanted;
  constexpr float kStep = 1e-3F;
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t k = 0; k < kSize; ++k) {
      float& coordinate = vectors.row(i)[k];
      const float was = coordinate;
      coordinate = was + kStep;
      const double above = loss_of(vectors, positives, negatives, double{kMargin});
      coordinate = was - kStep;
      const double below = loss_of(vectors, positives, negatives, double{kMargin});
      coordinate = was;
      wanted.push_back(-double{kRate} * (above - below) / (2 * double{kStep}));
    }
  }
  const double loss_before = loss_of(vectors, positives, negatives, double{kMargin});

  OptimizerSettings sgd{OptimizerKind::kSgd, kRate};
  Matrix moments = Optimizer::moments_for(sgd, 6, vectors.stride());
  Matrix before(6, kSize);
  std::copy_n(vectors.row(0), 6 * vectors.stride(), before.row(0));
  const OrderSettings settings{.margin = kMargin, .batch = 6, .negatives = 0, .threads = 2};
  OrderSteps steps(vectors, moments, sgd, settings);
  const Sums sums = steps.step(1, kRate, positives, noise, adversarial);
  CHECK(sums.means[0].sum + sums.means[1].sum + sums.means[2].sum == doctest::Approx(loss_before));
  CHECK(sums.means[0].count == 3);
  CHECK(sums.means[1].count == 2);
  CHECK(sums.means[2].count == 1);
  double most = 0;
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t k = 0; k < kSize; ++k) {
      const double change = double{vectors.row(i)[k]} - double{before.row(i)[k]};
      CHECK(change == doctest::Approx(wanted[static_cast<size_t>(i * kSize + k)]).epsilon(0.02));
      most = std::max(most, std::abs(change));
    }
  }
  CHECK(most > 0.01);
  for (int64_t k = 0; k < kSize; ++k) CHECK(vectors.row(5)[k] == before.row(5)[k]);
}

TEST_CASE("no coordinate falls below 0, and pairs in order stay") {
  Matrix vectors(3, kSize);
  for (int64_t k = 0; k < kSize; ++k) {
    vectors.row(0)[k] = 0.1F;  // above 2; 1 is below both
    vectors.row(1)[k] = 5;
    vectors.row(2)[k] = 0.2F;
  }
  const OptimizerSettings sgd{OptimizerKind::kSgd, 1};
  Matrix moments = Optimizer::moments_for(sgd, 3, vectors.stride());
  const OrderSettings settings{.batch = 4, .negatives = 0};
  OrderSteps steps(vectors, moments, sgd, settings);
  const std::vector<OrderPair> out{{1, 0}}, in{{0, 1}};
  CHECK(steps.step(1, 1, out, {}, {}).means[0].sum == 0);
  CHECK(vectors.row(0)[0] == 0.1F);
  CHECK(vectors.row(1)[0] == 5);
  CHECK(steps.step(2, 1, in, {}, {}).means[0].sum > 200);  // far out of order: a long step
  CHECK(vectors.row(1)[0] == 0);
}

}  // namespace acevec::steps_test
