#include "tasks/order/start.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "tasks/order/cones.h"

namespace acevec {
namespace {

// Of the coordinates' distribution at the start, in units of which half is cut off. A pair of
// concepts is then out of order by far more than the margin. From small vectors, which are nearly
// in order whichever way, training does not find out: a false pair in perfect order has no slope.
constexpr float kInitialScale = 0.5F;

// Cones: hyperbolic distances from the origin of the highest level, and between two levels, where
// the ball has room for as much; and how far, as a part of what its cone covers, a concept lies
// from the direction of what is above it.
constexpr double kFirstDistance = 0.3;
constexpr double kLevelDistance = 0.6;
constexpr double kSpread = 0.5;

float normal(Random& random) {
  // Box and Muller's transform; 1 − u is never 0.
  const float radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  const float angle = 2 * std::numbers::pi_v<float> * random.uniform();
  return radius * std::cos(angle);
}

// Makes it as long as 1, adds a vector of length `share` in a random direction, and makes it 1
// again.
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

// How many concepts are above each on the longest way up. `order`: generals first.
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

}  // namespace

Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed) {
  std::vector<char> is_general(static_cast<size_t>(concepts));
  for (const OrderPair& pair : train) is_general[static_cast<size_t>(pair.general)] = 1;
  Matrix vectors(concepts, size);
  Random random(seed, Stream::kOrderStart);
  for (int64_t i = 0; i < concepts; ++i) {
    // A leaf needs what its generals demand and no more; what it had besides nothing would take
    // away from it, and it could not be above a concept that it was not seen with.
    if (is_general[static_cast<size_t>(i)] == 0) continue;
    for (int64_t k = 0; k < size; ++k) {
      vectors.row(i)[k] = std::max(0.0F, kInitialScale * normal(random));
    }
  }
  return vectors;
}

Matrix nested_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                            uint64_t seed) {
  Matrix vectors = initial_order_vectors(train, concepts, size, seed);
  const ExactPairs generals = generals_of(concepts, train);
  for (const int32_t id : generals_first(generals, specifics_of(concepts, train))) {
    float* const row = vectors.row(id);
    std::vector<float> highest(static_cast<size_t>(size));
    for (const int32_t general : generals.outcomes(id)) {
      const float* const above = vectors.row(general);
      for (int64_t k = 0; k < size; ++k) {
        float& most = highest[static_cast<size_t>(k)];
        most = std::max(most, above[k]);
      }
    }
    for (int64_t k = 0; k < size; ++k) row[k] += highest[static_cast<size_t>(k)];
  }
  return vectors;
}

Matrix nested_cones(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                    uint64_t seed) {
  const ExactPairs generals = generals_of(concepts, train);
  const std::vector<int32_t> order = generals_first(generals, specifics_of(concepts, train));
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
