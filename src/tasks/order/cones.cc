#include "tasks/order/cones.h"

#include <algorithm>
#include <cmath>

namespace acevec {
namespace {

constexpr double kAperture = 0.1;             // K
constexpr double kBorder = 1 - kOuterRadius;  // least distance to it that is computed with
constexpr double kLeast = 1e-12;              // below squares of sines, and of distances

double squared_length(const float* x, int64_t width) {
  double sum = 0;
  for (int64_t k = 0; k < width; ++k) sum += double{x[k]} * double{x[k]};
  return sum;
}

// Ξ and ψ follow from three squares: |y|², |x|² and |y − x|². Without the scalar product nothing
// cancels near the border, where all concepts that are far down lie.
struct Angle {
  Angle(const float* x, const float* y, int64_t width) {
    for (int64_t k = 0; k < width; ++k) {
      const double difference = double{y[k]} - double{x[k]};
      above += double{y[k]} * double{y[k]};
      below += double{x[k]} * double{x[k]};
      apart += difference * difference;
    }
    // Of vectors outside nothing is known.
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

  double above = 0, below = 0, apart = 0;  // the squares
  double gap, denominator, cosine, sine_of_aperture;
};

double square_of_cosine(double sine) {
  return std::max(kLeast, 1 - sine * sine);
}

}  // namespace

double half_aperture(double length) {
  const double inside = std::clamp(length, kInnerRadius, kOuterRadius);
  return std::asin(std::min(1.0, kAperture * (1 - inside * inside) / inside));
}

// Of the triangle of the origin, the vector, and where the cone's side meets the border: a corner
// at the border has no angle, so that the tangents of the halves of the other two have e^−h for
// their product, h being the vector's distance from the origin.
double visible_angle(double length) {
  const double inside = std::clamp(length, kInnerRadius, kOuterRadius);
  return 2 * std::atan((1 - inside) / (1 + inside) * std::tan(half_aperture(inside) / 2));
}

float cone_penalty(const float* x, const float* y, int64_t width, ConeSlopes* slopes) {
  const Angle angle(x, y, width);
  if (slopes == nullptr) return static_cast<float>(angle.penalty());
  const auto& [above, below, apart, gap, denominator, cosine, sine_of_aperture] = angle;
  // The slopes of the cosine with the three squares.
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

void cone_table(Replaced replaced, const VectorRows& conditions, const VectorRows& others,
                FloatRows table) {
  for (int64_t i = 0; i < conditions.count; ++i) {
    const float* const kept = conditions.data + i * conditions.stride;
    for (int64_t j = 0; j < others.count; ++j) {
      const float* const other = others.data + j * others.stride;
      table.data[i * table.stride + j] = replaced == Replaced::kGeneral
                                             ? cone_penalty(kept, other, others.columns)
                                             : cone_penalty(other, kept, others.columns);
    }
  }
}

void to_cone_step(const float* x, int64_t width, float rate, float* gradient) {
  const double length = std::sqrt(squared_length(gradient, width));
  if (length == 0) return;
  const double square = std::min(squared_length(x, width), kOuterRadius * kOuterRadius);
  // Measured in the ball the Riemannian gradient is (1 − |x|²) / 2 times as long. The exponential
  // map is the Möbius sum of x and a vector of the gradient's direction, as long as tanh of half
  // the way.
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
  const double length = std::sqrt(squared_length(x, width));
  const double allowed = std::clamp(length, kInnerRadius, kOuterRadius);
  if (length == allowed || length == 0) return;
  for (int64_t k = 0; k < width; ++k) x[k] *= static_cast<float>(allowed / length);
}

}  // namespace acevec
