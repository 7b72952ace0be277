// Cones against their definition and finite differences, and where training starts.

#include "tasks/order/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "tasks/order/evaluation.h"
#include "tasks/order/hierarchy.h"
#include "tasks/order/steps.h"
#include "tasks/order/tree.h"

namespace acevec::order_geometry_test {
namespace {

constexpr int64_t kSize = 16;
using Row = std::vector<float>;

// Of any length between the radii.
Row random_row(Random& random) {
  Row row(kSize);
  double square = 0;
  for (float& number : row) {
    number = random.uniform() - 0.5F;
    square += double{number} * double{number};
  }
  const double length = 0.15 + 0.8 * double{random.uniform()};
  for (float& number : row) number *= static_cast<float>(length / std::sqrt(square));
  return row;
}

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += double{a[k]} * double{b[k]};
  return sum;
}

double distance_apart(const Row& a, const Row& b) {
  double square = 0;
  for (size_t k = 0; k < a.size(); ++k) square += std::pow(double{a[k]} - double{b[k]}, 2);
  return std::sqrt(square);
}

// Equations 26 and 28 of the paper: y above x.
double defined_penalty(const Row& x, const Row& y) {
  const double xx = dot(x, x);
  const double yy = dot(y, y);
  const double xy = dot(x, y);
  const double angle =
      std::acos((xy * (1 + yy) - yy * (1 + xx)) /
                (std::sqrt(yy) * distance_apart(x, y) * std::sqrt(1 + xx * yy - 2 * xy)));
  return angle - std::asin(0.1 * (1 - yy) / std::sqrt(yy));
}

double hyperbolic_distance(const Row& a, const Row& b) {
  return std::acosh(1 +
                    2 * std::pow(distance_apart(a, b), 2) / ((1 - dot(a, a)) * (1 - dot(b, b))));
}

double length(const Row& row) {
  return std::sqrt(dot(row, row));
}

Row scaled(Row row, double to) {
  const auto factor = static_cast<float>(to / length(row));
  for (float& number : row) number *= factor;
  return row;
}

// 0 above 1 and 2, both above 3, 3 above 4; 5 below 4 and 0; 6 above 7.
const std::vector<OrderPair> kPairs{{1, 0}, {2, 0}, {3, 1}, {3, 2}, {4, 3}, {5, 4}, {5, 0}, {7, 6}};

double length(const Matrix& vectors, int64_t i) {
  return Embedding{vectors, Geometry::kCone}.depth(static_cast<int32_t>(i));
}

}  // namespace

TEST_CASE("the penalty of a cone is the angle that is missing to it") {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Row x = random_row(random);
    const Row y = random_row(random);
    const double wanted = std::max(0.0, defined_penalty(x, y));
    CHECK(double{cone_penalty(x.data(), y.data(), kSize)} == doctest::Approx(wanted).epsilon(1e-4));
  }
  // What lies further out on the same ray is in the cone; what lies on the other side is not.
  const Row y = scaled(random_row(random), 0.5);
  CHECK(cone_penalty(scaled(y, 0.9).data(), y.data(), kSize) == 0);
  CHECK(double{cone_penalty(scaled(y, -0.9).data(), y.data(), kSize)} ==
        doctest::Approx(std::numbers::pi - half_aperture(0.5)));
}

TEST_CASE("cones are transitive") {
  Random random(2);
  int chains = 0;
  // A row further out, in about the same direction.
  const auto further = [&](const Row& row, double to, double noise) {
    const Row other = scaled(random_row(random), noise);
    Row result = scaled(row, 1);
    for (size_t k = 0; k < kSize; ++k) result[k] += other[k];
    return scaled(result, to);
  };
  for (int i = 0; i < 1000; ++i) {
    const Row top = scaled(random_row(random), 0.12);
    const Row middle = further(top, 0.4, 0.3);
    const Row low = further(middle, 0.8, 0.05);
    if (defined_penalty(middle, top) > 0 || defined_penalty(low, middle) > 0) continue;
    ++chains;
    CHECK(cone_penalty(low.data(), top.data(), kSize) == 0);
  }
  CHECK(chains > 10);
}

TEST_CASE("a cone is a half-space at the inner radius, and covers less further out") {
  CHECK(half_aperture(kInnerRadius) == doctest::Approx(std::numbers::pi / 2).epsilon(0.01));
  double last = 4;
  for (const double at : {0.1, 0.2, 0.5, 0.9, 0.99}) {
    CHECK(visible_angle(at) < last);
    last = visible_angle(at);
    // A point near the border at that angle from the axis lies on the cone's side.
    Row axis(kSize), side(kSize);
    axis[0] = static_cast<float>(at);
    side[0] = static_cast<float>((1 - 1e-6) * std::cos(last));
    side[1] = static_cast<float>((1 - 1e-6) * std::sin(last));
    CHECK(std::abs(defined_penalty(side, axis)) < 0.02 * half_aperture(at));
  }
}

TEST_CASE("the gradient of a cone's penalty agrees with finite differences") {
  Random random(3);
  constexpr float kStep = 1e-3F;
  for (int i = 0; i < 20; ++i) {
    Row x = random_row(random);
    Row y = random_row(random);
    Row x_gradient(kSize, 5.0F), y_gradient(kSize, -5.0F);  // added to what is there
    ConeSlopes slopes;
    cone_penalty(x.data(), y.data(), kSize, &slopes);
    add_cone_gradient(x.data(), y.data(), kSize, slopes, -0.5F, x_gradient.data(), nullptr);
    add_cone_gradient(x.data(), y.data(), kSize, slopes, -0.5F, nullptr, y_gradient.data());
    const auto slope = [&](float& coordinate) {
      const float was = coordinate;
      coordinate = was + kStep;
      const double above = defined_penalty(x, y);
      coordinate = was - kStep;
      const double below = defined_penalty(x, y);
      coordinate = was;
      return -0.5 * (above - below) / (2 * double{kStep});
    };
    for (size_t k = 0; k < kSize; ++k) {
      CHECK(double{x_gradient[k]} - 5 == doctest::Approx(slope(x[k])).epsilon(0.02).scale(0.1));
      CHECK(double{y_gradient[k]} + 5 == doctest::Approx(slope(y[k])).epsilon(0.02).scale(0.1));
    }
  }
}

TEST_CASE("a step goes as far as the rate and the Riemannian gradient say") {
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const Row x = random_row(random);
    Row gradient(kSize);
    for (float& number : gradient) number = random.uniform() - 0.5F;
    constexpr double kRate = 0.3;
    const double far = kRate * length(gradient) * (1 - dot(x, x)) / 2;
    Row change = gradient;
    to_cone_step(x.data(), kSize, static_cast<float>(kRate), change.data());
    Row reached = x;
    for (size_t k = 0; k < kSize; ++k) reached[k] += change[k];
    if (length(reached) < kInnerRadius + 1e-3) continue;  // was moved out
    CHECK(hyperbolic_distance(x, reached) == doctest::Approx(far).epsilon(1e-3));
    // A short one goes against the gradient.
    change = gradient;
    to_cone_step(x.data(), kSize, 1e-3F, change.data());
    CHECK(dot(change, gradient) / (length(change) * length(gradient)) ==
          doctest::Approx(-1).epsilon(0.01));
  }
}

TEST_CASE("steps stay in the ball and outside of its middle") {
  Random random(5);
  for (const float rate : {1e-6F, 1.0F, 1e6F}) {
    for (int i = 0; i < 50; ++i) {
      Row x = random_row(random);
      Row change(kSize);
      for (float& number : change) number = 1e3F * (random.uniform() - 0.5F);
      to_cone_step(x.data(), kSize, rate, change.data());
      for (size_t k = 0; k < kSize; ++k) x[k] += change[k];
      CHECK(length(x) > kInnerRadius - 1e-6);
      CHECK(length(x) < kOuterRadius + 1e-6);
    }
  }
  const Row x = random_row(random);
  Row none(kSize);
  to_cone_step(x.data(), kSize, 1, none.data());
  CHECK(none == Row(kSize));
}

TEST_CASE("no vectors give a penalty or a gradient that is not finite") {
  Random random(6);
  const Row zero(kSize);
  const Row inside = random_row(random);
  const Row far = scaled(inside, 1e6);
  const Row border = scaled(inside, 1);
  const Row behind = scaled(inside, -0.5);
  for (const Row& x : {zero, inside, far, border, behind}) {
    for (const Row& y : {zero, inside, far, border, behind}) {
      ConeSlopes slopes;
      CHECK(std::isfinite(cone_penalty(x.data(), y.data(), kSize, &slopes)));
      Row x_gradient(kSize), y_gradient(kSize);
      add_cone_gradient(x.data(), y.data(), kSize, slopes, 1, x_gradient.data(), y_gradient.data());
      for (const Row& gradient : {x_gradient, y_gradient}) {
        CHECK(std::all_of(gradient.begin(), gradient.end(),
                          [](float number) { return std::isfinite(number); }));
      }
    }
  }
}

TEST_CASE("a step of cones follows the slopes of the loss, in and out of cones") {
  constexpr float kRate = 1e-4F;
  constexpr float kMargin = 0.5F;
  Random random(7);
  Matrix vectors(4, kSize);
  std::vector<Row> before;
  for (int64_t i = 0; i < 4; ++i) {
    before.push_back(random_row(random));
    if (i == 3) before.back() = scaled(before[2], 0.97);  // 3 is in the cone at 2
    std::copy(before.back().begin(), before.back().end(), vectors.row(i));
  }
  before[2] = scaled(before[2], 0.6);
  std::copy(before[2].begin(), before[2].end(), vectors.row(2));
  OptimizerSettings sgd{.kind = OptimizerKind::kSgd, .ascend = true};  // leaves gradients alone
  Matrix moments = Optimizer::moments_for(sgd, 4, vectors.stride());
  const OrderSettings settings{
      .geometry = Geometry::kCone, .margin = kMargin, .batch = 4, .negatives = 0};
  OrderSteps steps(vectors, moments, sgd, settings);
  const std::vector<OrderPair> positive{{0, 1}}, noise{{3, 2}};
  const Sums sums = steps.step(1, kRate, positive, noise, {});
  CHECK(sums.means[0].sum == doctest::Approx(std::max(0.0, defined_penalty(before[0], before[1]))));
  CHECK(sums.means[1].sum == doctest::Approx(double{kMargin}));
  const auto after = [&](int64_t i) { return Row(vectors.row(i), vectors.row(i) + kSize); };
  CHECK(defined_penalty(after(0), after(1)) < defined_penalty(before[0], before[1]));
  CHECK(defined_penalty(after(3), after(2)) > defined_penalty(before[3], before[2]));
}

TEST_CASE("concepts come after all that is above them") {
  const std::vector<int32_t> order =
      topological_order(generals_of(8, kPairs), specifics_of(8, kPairs));
  REQUIRE(order.size() == 8);
  const auto place = [&](int32_t id) { return std::find(order.begin(), order.end(), id); };
  for (const OrderPair& pair : kPairs) CHECK(place(pair.general) < place(pair.specific));
}

TEST_CASE("nested vectors start with all pairs, and what follows from them, in order") {
  std::vector<OrderPair> many;  // the same pairs, often enough not to be few
  while (std::ssize(many) < kFewPairs) many.insert(many.end(), kPairs.begin(), kPairs.end());
  const Matrix vectors = nested_order_vectors(many, 8, 10, 1);
  const Embedding embedding{vectors};
  const auto closed = transitive_closure(8, kPairs);
  REQUIRE(closed);
  for (const OrderPair& pair : *closed) CHECK(embedding.penalty(pair) == 0);
  CHECK(embedding.penalty({0, 1}) > 0);
  CHECK(embedding.penalty({6, 0}) > 0);
  // What a concept has beyond what is above it is what it would have alone.
  const Matrix alone = initial_order_vectors(kPairs, 8, 10, 1);
  for (int64_t k = 0; k < 10; ++k) {
    CHECK(vectors.row(0)[k] == alone.row(0)[k]);
    CHECK(vectors.row(1)[k] == alone.row(0)[k] + alone.row(1)[k]);
    CHECK(vectors.row(3)[k] == std::max(vectors.row(1)[k], vectors.row(2)[k]) + alone.row(3)[k]);
    CHECK(vectors.row(5)[k] == vectors.row(4)[k]);  // nothing is below it
  }
}

TEST_CASE("where pairs are few, no concept starts equal to what is above it") {
  const Matrix vectors = nested_order_vectors(kPairs, 8, 10, 1);
  const Embedding embedding{vectors};
  for (const OrderPair& pair : kPairs) {
    CHECK(embedding.penalty(pair) == 0);
    CHECK(embedding.penalty({pair.general, pair.specific}) > 0);
  }
}

TEST_CASE("nested cones lie further out level by level, and a tree's nearly in each other") {
  const Matrix few = nested_cones(kPairs, 8, 10, 1);
  CHECK(length(few, 0) == doctest::Approx(length(few, 6)));
  CHECK(length(few, 1) == doctest::Approx(length(few, 2)));
  for (const OrderPair& pair : kPairs)
    CHECK(length(few, pair.general) < length(few, pair.specific));

  const Hierarchy hierarchy = tree(3, 5);  // 364 concepts
  const Matrix vectors = nested_cones(hierarchy.lines, 364, 10, 2);
  const Embedding embedding{vectors, Geometry::kCone};
  const Split split = split_pairs(hierarchy, SplitKind::kHonest, 300, 1);
  CHECK(best_threshold(embedding, split.development).accuracy > 0.99);
  for (const OrderPair& pair : hierarchy.lines) CHECK(embedding.penalty(pair) < 0.2);
}

TEST_CASE("the levels of a deep hierarchy lie closer to each other, so that all have room") {
  std::vector<OrderPair> chain;
  for (int32_t i = 0; i < 100; ++i) chain.push_back({i + 1, i});
  const Matrix vectors = nested_cones(chain, 101, 3, 1);
  for (int64_t i = 0; i < 100; ++i) CHECK(length(vectors, i) < length(vectors, i + 1));
  CHECK(length(vectors, 0) > kInnerRadius);
  CHECK(length(vectors, 100) < kOuterRadius + 1e-6);
}

TEST_CASE("what nothing is below starts at 0 and all else at half of a normal distribution") {
  constexpr int64_t kWide = 10000;
  const Matrix vectors = initial_order_vectors({{0, 1}, {3, 1}, {1, 2}}, 4, kWide, 1);
  for (const int64_t leaf : {0, 3}) {
    for (int64_t k = 0; k < kWide; ++k) CHECK(vectors.row(leaf)[k] == 0);
  }
  for (const int64_t general : {1, 2}) {
    int64_t zeros = 0;
    double squares = 0;
    for (int64_t k = 0; k < kWide; ++k) {
      const double value = double{vectors.row(general)[k]};
      CHECK(value >= 0);
      zeros += value == 0 ? 1 : 0;
      squares += value * value;
    }
    // Five standard deviations.
    CHECK(std::abs(static_cast<double>(zeros) / kWide - 0.5) < 0.025);
    CHECK(squares / kWide == doctest::Approx(0.5 * 0.25).epsilon(0.12));
  }
}

}  // namespace acevec::order_geometry_test
