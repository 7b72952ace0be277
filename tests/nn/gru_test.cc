// A gated recurrent unit forward and backward through time, for every instruction set, against
// plain loops in double.

#include "nn/gru.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "instruction_sets.h"

namespace acevec {
namespace {

constexpr int64_t kInputs = 5, kUnits = 18, kStride = 16;
const std::vector<size_t> kEnds{2, 6, 8, 11};  // sequences of 2, 4, 2 and 3 steps
constexpr int64_t kSteps = 11, kSequences = 4;

AlignedFloats random_floats(int64_t size, float range, Random& random) {
  AlignedFloats floats(size);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = range * (2 * random.uniform() - 1);
  return floats;
}

// The row of each step.
template <class Float>
std::vector<Float*> rows_of(Float* x) {
  std::vector<Float*> rows;
  for (int64_t i = 0; i < kSteps; ++i) rows.push_back(x + i * kStride);
  return rows;
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

std::vector<double> last_state(const Matrix& parameters, const float* x, int64_t sequence) {
  std::vector<double> h(kUnits, 0.0);
  const auto at = static_cast<size_t>(sequence);
  for (size_t step = at == 0 ? 0 : kEnds[at - 1]; step < kEnds[at]; ++step) {
    const float* const input = x + step * kStride;
    const std::vector<double> before = h;
    const auto sum = [&](int64_t gate, int64_t k, bool of_h) {
      const int64_t column = gate * padded(kUnits) + k;
      double total = 0;
      for (int64_t i = 0; !of_h && i < kInputs; ++i) {
        total += double{input[i]} * double{parameters.row(i)[column]};
      }
      for (int64_t i = 0; of_h && i < kUnits; ++i) {
        total += before[static_cast<size_t>(i)] * double{parameters.row(kInputs + i)[column]};
      }
      return of_h ? total : total + double{parameters.row(kInputs + kUnits)[column]};
    };
    for (int64_t k = 0; k < kUnits; ++k) {
      const double r = sigmoid(sum(0, k, false) + sum(0, k, true));
      const double z = sigmoid(sum(1, k, false) + sum(1, k, true));
      const double n = std::tanh(sum(2, k, false) + r * sum(2, k, true));
      const auto unit = static_cast<size_t>(k);
      h[unit] = (1 - z) * n + z * before[unit];
    }
  }
  return h;
}

Matrix some_parameters(Random& random) {
  Matrix parameters = Gru::parameters(kInputs, kUnits, random);
  for (int64_t k = 0; k < parameters.columns(); ++k) {
    if (k % padded(kUnits) < kUnits) parameters.row(kInputs + kUnits)[k] = random.uniform() - 0.5F;
  }
  return parameters;
}

}  // namespace

TEST_CASE("a gated unit's last states are those of the formula, also from afar") {
  for_each_instruction_set([] {
    for (const float range : {0.1F, 3.0F, 1e4F}) {
      CAPTURE(range);
      Random random(1);
      const Matrix parameters = some_parameters(random);
      const AlignedFloats x = random_floats(kSteps * kStride, range, random);
      Gru gru(kInputs, kUnits);
      for (int round = 0; round < 2; ++round) {  // what one call leaves does not reach the next
        gru.forward(parameters.row(0), rows_of<const float>(x.data()), kEnds);
        double worst = 0;
        for (int64_t i = 0; i < kSequences; ++i) {
          const std::vector<double> wanted = last_state(parameters, x.data(), i);
          for (int64_t k = 0; k < kUnits; ++k) {
            worst =
                std::max(worst, std::abs(wanted[static_cast<size_t>(k)] - double{gru.last(i)[k]}));
          }
          for (int64_t k = kUnits; k < gru.width(); ++k) CHECK(gru.last(i)[k] == 0.0F);
        }
        CHECK(worst < (range < 100 ? 1e-5 : 1e-2));
      }
    }
  });
}

TEST_CASE("a gated unit's gradients through time are those of finite differences") {
  for_each_instruction_set([] {
    Random random(2);
    Matrix parameters = some_parameters(random);
    AlignedFloats x = random_floats(kSteps * kStride, 1, random);
    Gru gru(kInputs, kUnits);
    AlignedFloats slopes = random_floats(kSequences * gru.width(), 1, random);
    for (int64_t i = 0; i < kSequences; ++i) {
      std::fill_n(slopes.data() + i * gru.width() + kUnits, gru.width() - kUnits, 0.0F);
    }
    const auto objective = [&] {
      double sum = 0;
      for (int64_t i = 0; i < kSequences; ++i) {
        const std::vector<double> h = last_state(parameters, x.data(), i);
        for (int64_t k = 0; k < kUnits; ++k) {
          sum += double{slopes.data()[i * gru.width() + k]} * h[static_cast<size_t>(k)];
        }
      }
      return sum;
    };
    // Differences of `value` up and down; exact powers of 2, so that float adds nothing.
    const auto slope_of = [&](float& value) {
      const float old = value;
      value = old + 0x1p-9F;
      const double more = objective();
      const double above = double{value};
      value = old - 0x1p-9F;
      const double slope = (more - objective()) / (above - double{value});
      value = old;
      return slope;
    };
    AlignedFloats x_gradient(kSteps * kStride);
    AlignedFloats gradient(parameters.rows() * parameters.stride());
    for (int round = 0; round < 2; ++round) {
      gru.forward(parameters.row(0), rows_of<const float>(x.data()), kEnds);
      std::fill_n(x_gradient.data(), kSteps * kStride, 1.0F);
      gru.backward(parameters.row(0), slopes.data(), rows_of(x_gradient.data()), gradient.data());
    }
    double worst = 0;
    for (int64_t i = 0; i < parameters.rows(); ++i) {
      for (int64_t k = 0; k < parameters.columns(); ++k) {
        const double got = double{gradient.data()[i * parameters.stride() + k]};
        if (k % padded(kUnits) >= kUnits) {
          CHECK(got == 0.0);
        } else if ((i + k) % 7 == 0) {  // a part of them, for time
          worst = std::max(worst, std::abs(got - slope_of(parameters.row(i)[k])));
        }
      }
    }
    for (int64_t i = 0; i < kSteps; ++i) {
      for (int64_t k = 0; k < kInputs; ++k) {
        const double got = double{x_gradient.data()[i * kStride + k]} - 1;  // it is added
        worst = std::max(worst, std::abs(got - slope_of(x.data()[i * kStride + k])));
      }
    }
    CHECK(worst < 2e-4);
  });
}

}  // namespace acevec
