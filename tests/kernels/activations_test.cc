// Activations and the step of a gated unit against their formulas, for every instruction set. Their
// gradients are held against finite differences in tests/nn/.

#include "kernels/activations.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"
#include "math/aligned.h"

namespace acevec {
namespace {

constexpr int64_t kNumbers = 48;

// Near 0, and from afar.
AlignedFloats some_numbers(float range, uint64_t seed) {
  Random random(seed);
  AlignedFloats numbers(kNumbers);
  for (int64_t k = 0; k < kNumbers; ++k) {
    numbers.data()[k] = (k % 3 == 0 ? range : 2) * (2 * random.uniform() - 1);
  }
  numbers.data()[1] = 0;
  return numbers;
}

double sigmoid_of(double x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

TEST_CASE("activations are tanh and the positive part, and their slopes follow from the outputs") {
  for_each_instruction_set([] {
    const AlignedFloats x = some_numbers(1000, 1);
    AlignedFloats tanhs = some_numbers(1000, 1);
    AlignedFloats parts = some_numbers(1000, 1);
    tanh_rows(tanhs.data(), kNumbers);
    relu_rows(parts.data(), kNumbers);
    AlignedFloats tanh_slopes(kNumbers), relu_slopes(kNumbers);
    std::fill_n(tanh_slopes.data(), kNumbers, 2.0F);
    std::fill_n(relu_slopes.data(), kNumbers, 2.0F);
    tanh_backward(tanhs.data(), kNumbers, tanh_slopes.data());
    relu_backward(parts.data(), kNumbers, relu_slopes.data());
    for (int64_t k = 0; k < kNumbers; ++k) {
      const double y = std::tanh(double{x.data()[k]});
      CHECK(std::abs(double{tanhs.data()[k]} - y) < 1e-6);
      CHECK(std::abs(double{tanh_slopes.data()[k]} - 2 * (1 - y * y)) < 1e-5);
      CHECK(parts.data()[k] == std::max(0.0F, x.data()[k]));
      CHECK(relu_slopes.data()[k] == (x.data()[k] > 0 ? 2 : 0));
    }
    CHECK(tanhs.data()[1] == 0);
  });
}

TEST_CASE("a step of a gated unit is its formula") {
  for_each_instruction_set([] {
    constexpr int64_t kWidth = kNumbers / 3;
    const AlignedFloats from_x = some_numbers(100, 2), from_h = some_numbers(100, 3);
    const AlignedFloats h = some_numbers(1, 4);
    AlignedFloats gates = some_numbers(100, 2);
    AlignedFloats next(kWidth);
    gru_step(gates.data(), from_h.data(), h.data(), kWidth, next.data());
    for (int64_t k = 0; k < kWidth; ++k) {
      const auto x = [&](int64_t gate) { return double{from_x.data()[gate * kWidth + k]}; };
      const auto u = [&](int64_t gate) { return double{from_h.data()[gate * kWidth + k]}; };
      const double r = sigmoid_of(x(0) + u(0));
      const double z = sigmoid_of(x(1) + u(1));
      const double n = std::tanh(x(2) + r * u(2));
      const double before = double{h.data()[k]};
      CHECK(std::abs(double{next.data()[k]} - ((1 - z) * n + z * before)) < 1e-5);
      CHECK(std::abs(double{gates.data()[k]} - r) < 1e-6);
    }
  });
}

}  // namespace acevec
