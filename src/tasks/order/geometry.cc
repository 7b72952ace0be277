#include "tasks/order/geometry.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "base/random.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

constexpr double kAperture = 0.1;             // K
constexpr double kBorder = 1 - kOuterRadius;  // least distance from the boundary
constexpr double kLeast = 1e-12;              // lower bound of squared sines and distances

// Ξ and ψ are computed from |y|², |x|² and |y − x|². Without the scalar product there is no
// cancellation near the boundary, where all low-level concepts are.
struct Angle {
  Angle(const float* x, const float* y, int64_t width) {
    for (int64_t k = 0; k < width; ++k) {
      const double difference = double{y[k]} - double{x[k]};
      above += double{y[k]} * double{y[k]};
      below += double{x[k]} * double{x[k]};
      apart += difference * difference;
    }
    // Vectors outside the bounds are treated as at the bound.
    above = std::clamp(above, kInnerRadius * kInnerRadius, kOuterRadius * kOuterRadius);
    below = std::clamp(below, kInnerRadius * kInnerRadius, kOuterRadius * kOuterRadius);
    apart = std::max(apart, kLeast);
    gap = apart + (1 - above) * (1 - below);
    denominator = std::sqrt(above * apart * gap);
    cosine = std::clamp(((below - above) * (1 - above) - apart * (1 + above)) / (2 * denominator),
                        -1.0, 1.0);
    sine_of_aperture = std::min(1.0, kAperture * (1 - above) / std::sqrt(above));
  }

  double penalty() const { return std::max(0.0, std::acos(cosine) - std::asin(sine_of_aperture)); }

  double above = 0, below = 0, apart = 0;  // squared lengths
  double gap, denominator, cosine, sine_of_aperture;
};

double square_of_cosine(double sine) {
  return std::max(kLeast, 1 - sine * sine);
}

// The scale of the initial coordinates' distribution, before its negative half is cut off. It puts
// pairs out of order by far more than the margin. From small vectors, which are nearly in order in
// either direction, training does not recover: a false pair in perfect order has no gradient.
constexpr float kInitialScale = 0.5F;

// Cones: hyperbolic distances of the first level from the origin, and between levels if the ball
// has room; and the angle of a concept from what is above it, relative to its visible_angle().
constexpr double kFirstDistance = 0.3;
constexpr double kLevelDistance = 0.6;
constexpr double kSpread = 0.5;

float normal(Random& random) {
  // The Box-Muller transform; 1 − u is never 0.
  const float radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  const float angle = 2 * std::numbers::pi_v<float> * random.uniform();
  return radius * std::cos(angle);
}

// Normalises `direction`, before and after it adds a random one of length `share`.
void turn(std::vector<double>& direction, double share, Random& random) {
  const auto length = [](const std::vector<double>& v) {
    double sum = 0;
    for (const double number : v) sum += number * number;
    return std::max(1e-12, std::sqrt(sum));
  };
  std::vector<double> other(direction.size());
  for (double& number : other) number = double{normal(random)};
  const double whole = length(direction);
  const double part = share / length(other);
  for (size_t k = 0; k < direction.size(); ++k) {
    direction[k] = direction[k] / whole + part * other[k];
  }
  const double turned = length(direction);
  for (double& number : direction) number /= turned;
}

// The length of the longest path up from each concept. `order`: generals first.
std::vector<int64_t> levels_of(const std::vector<int32_t>& order, const ExactPairs& generals) {
  std::vector<int64_t> levels(order.size());
  for (const int32_t id : order) {
    int64_t& level = levels[static_cast<size_t>(id)];
    for (const int32_t general : generals.outcomes(id)) {
      level = std::max(level, levels[static_cast<size_t>(general)] + 1);
    }
  }
  return levels;
}

// penalty_table() for cones.
void cone_table(Replaced replaced, RowsOf<float> conditions, RowsOf<float> others, int64_t columns,
                FloatRows table) {
  for (int64_t i = 0; i < conditions.count; ++i) {
    const float* const kept = conditions.data + i * conditions.stride;
    for (int64_t j = 0; j < others.count; ++j) {
      const float* const other = others.data + j * others.stride;
      table.data[i * table.stride + j] = replaced == Replaced::kGeneral
                                             ? cone_penalty(kept, other, columns)
                                             : cone_penalty(other, kept, columns);
    }
  }
}

}  // namespace

double half_aperture(double length) {
  const double inside = std::clamp(length, kInnerRadius, kOuterRadius);
  return std::asin(std::min(1.0, kAperture * (1 - inside * inside) / inside));
}

// Considers the triangle of the origin, the vector, and the point where the cone's side meets the
// boundary. The angle at the boundary is 0, so the tangents of the halves of the other two have the
// product e^−h, where h is the vector's distance from the origin.
double visible_angle(double length) {
  const double inside = std::clamp(length, kInnerRadius, kOuterRadius);
  return 2 * std::atan((1 - inside) / (1 + inside) * std::tan(half_aperture(inside) / 2));
}

float cone_penalty(const float* x, const float* y, int64_t width, ConeSlopes* slopes) {
  const Angle angle(x, y, width);
  if (slopes == nullptr) return static_cast<float>(angle.penalty());
  const auto& [above, below, apart, gap, denominator, cosine, sine_of_aperture] = angle;
  // The derivatives of the cosine with respect to the three squares.
  const double by_above = (2 * above - 1 - below - apart) / (2 * denominator) -
                          cosine * (1 / above - (1 - below) / gap) / 2;
  const double by_below = (1 - above) / (2 * denominator) + cosine * (1 - above) / (2 * gap);
  const double by_apart = -(1 + above) / (2 * denominator) - cosine * (1 / apart + 1 / gap) / 2;
  const double of_angle = -1 / std::sqrt(square_of_cosine(cosine));
  const double of_aperture = -kAperture * (1 + above) /
                             (2 * above * std::sqrt(above * square_of_cosine(sine_of_aperture)));
  *slopes = {static_cast<float>(of_angle * by_below),
             static_cast<float>(of_angle * by_above - of_aperture),
             static_cast<float>(of_angle * by_apart)};
  return static_cast<float>(angle.penalty());
}

void add_cone_gradient(const float* x, const float* y, int64_t width, const ConeSlopes& slopes,
                       float scale, float* x_gradient, float* y_gradient) {
  const float below = 2 * scale * slopes.below, above = 2 * scale * slopes.above;
  const float apart = 2 * scale * slopes.apart;
  for (int64_t k = 0; k < width; ++k) {
    const float apart_now = apart * (y[k] - x[k]);
    if (x_gradient != nullptr) x_gradient[k] += below * x[k] - apart_now;
    if (y_gradient != nullptr) y_gradient[k] += above * y[k] + apart_now;
  }
}

void to_cone_step(const float* x, int64_t width, float rate, float* gradient) {
  const double length = std::sqrt(dot(gradient, gradient, width));
  if (length == 0) return;
  const double square = std::min(dot(x, x, width), kOuterRadius * kOuterRadius);
  // The Riemannian gradient's hyperbolic length is (1 − |x|²) / 2 times the Euclidean one. The
  // exponential map is the Möbius sum of x and a vector along it, tanh of half the distance long.
  const double added = std::tanh(double{rate} * length * (1 - square) / 4);
  const double part = -added / length;
  double product = 0;
  for (int64_t k = 0; k < width; ++k) product += double{x[k]} * double{gradient[k]} * part;
  const double divisor = std::max(kBorder, 1 + 2 * product + square * added * added);
  const double of_x = (1 + 2 * product + added * added) / divisor;
  const double of_gradient = (1 - square) * part / divisor;
  for (int64_t k = 0; k < width; ++k) {
    gradient[k] = static_cast<float>(of_x * double{x[k]} + of_gradient * double{gradient[k]});
  }
  bound_cone(gradient, width);
  for (int64_t k = 0; k < width; ++k) gradient[k] -= x[k];
}

void bound_cone(float* x, int64_t width) {
  const double length = std::sqrt(dot(x, x, width));
  const double allowed = std::clamp(length, kInnerRadius, kOuterRadius);
  if (length == allowed || length == 0) return;
  for (int64_t k = 0; k < width; ++k) x[k] *= static_cast<float>(allowed / length);
}

PairFunctions pair_functions(Geometry geometry) {
  if (geometry == Geometry::kCone) return {cone_penalty, add_cone_gradient, cone_table};
  const auto penalty = [](const float* x, const float* y, int64_t width, ConeSlopes*) {
    return order_penalty(x, y, width);
  };
  const auto add_gradient = [](const float* x, const float* y, int64_t width, const ConeSlopes&,
                               float scale, float* x_gradient, float* y_gradient) {
    add_penalty_gradient(x, y, width, scale, x_gradient, y_gradient);
  };
  return {penalty, add_gradient, penalty_table};
}

float Embedding::penalty(OrderPair pair) const {
  return pair_functions(geometry).penalty(vectors.row(pair.specific), vectors.row(pair.general),
                                          vectors.stride(), nullptr);
}

double Embedding::depth(int32_t id) const {
  const float* const row = vectors.row(id);
  const float* const end = row + vectors.columns();
  if (geometry == Geometry::kOrder) return std::accumulate(row, end, 0.0);
  return std::sqrt(std::inner_product(row, end, row, 0.0));
}

Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed, bool leaves) {
  std::vector<char> is_general(static_cast<size_t>(concepts), leaves ? 1 : 0);
  for (const OrderPair& pair : train) is_general[static_cast<size_t>(pair.general)] = 1;
  Matrix vectors(concepts, size);
  Random random(seed, Stream::kOrderStart);
  for (int64_t i = 0; i < concepts; ++i) {
    // A leaf needs only what its generals require; no gradient would remove anything else, which
    // would keep it from being above a concept that it was not observed with.
    if (is_general[static_cast<size_t>(i)] == 0) continue;
    for (int64_t k = 0; k < size; ++k) {
      vectors.row(i)[k] = std::max(0.0F, kInitialScale * normal(random));
    }
  }
  return vectors;
}

Matrix nested_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                            uint64_t seed) {
  // With few pairs there are too few steps for a leaf to move away from its general, where it
  // starts without coordinates of its own.
  const bool leaves = std::ssize(train) < kFewPairs;
  Matrix vectors = initial_order_vectors(train, concepts, size, seed, leaves);
  const ExactPairs generals = generals_of(concepts, train);
  for (const int32_t id : topological_order(generals, specifics_of(concepts, train))) {
    float* const row = vectors.row(id);
    std::vector<float> highest(static_cast<size_t>(size));
    for (const int32_t general : generals.outcomes(id)) {
      std::transform(highest.begin(), highest.end(), vectors.row(general), highest.begin(),
                     [](float most, float one) { return std::max(most, one); });
    }
    std::transform(highest.begin(), highest.end(), row, row, std::plus<>());
  }
  return vectors;
}

Matrix nested_cones(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                    uint64_t seed) {
  const ExactPairs generals = generals_of(concepts, train);
  const std::vector<int32_t> order = topological_order(generals, specifics_of(concepts, train));
  const std::vector<int64_t> levels = levels_of(order, generals);
  const int64_t lowest = *std::max_element(levels.begin(), levels.end());
  const double room = 2 * std::atanh(kOuterRadius) - kFirstDistance;
  const double step =
      std::min(kLevelDistance, room / static_cast<double>(std::max<int64_t>(1, lowest)));
  const auto radius = [step](int64_t level) {
    return std::tanh((kFirstDistance + step * static_cast<double>(level)) / 2);
  };
  Matrix vectors(concepts, size);
  Random random(seed, Stream::kOrderStart);
  for (const int32_t id : order) {
    const int64_t level = levels[static_cast<size_t>(id)];
    std::vector<double> direction(static_cast<size_t>(size));
    for (const int32_t general : generals.outcomes(id)) {
      if (levels[static_cast<size_t>(general)] + 1 != level) continue;
      for (int64_t k = 0; k < size; ++k) {
        direction[static_cast<size_t>(k)] += double{vectors.row(general)[k]};
      }
    }
    const double share = level == 0 ? 1 : kSpread * std::tan(visible_angle(radius(level - 1)));
    turn(direction, share, random);
    for (int64_t k = 0; k < size; ++k) {
      vectors.row(id)[k] = static_cast<float>(radius(level) * direction[static_cast<size_t>(k)]);
    }
  }
  return vectors;
}

}  // namespace acevec
