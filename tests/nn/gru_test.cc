// A gated recurrent unit forward and backward through time, for every instruction set, against
// plain loops in double.

#include "nn/gru.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include "instruction_sets.h"

namespace acevec {
namespace {

constexpr int64_t kInputs = 5, kUnits = 18;
// Sequences of 2, 4, 2, 3, ... steps: more than one block has.
const std::vector<size_t> kEnds{2, 6, 8, 11, 12, 17, 19, 20, 23, 24, 25};
constexpr int64_t kSteps = 25, kSequences = 11;

AlignedFloats random_floats(int64_t size, float range, Random& random) {
  AlignedFloats floats(size);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = range * (2 * random.uniform() - 1);
  return floats;
}

Matrix random_rows(float range, Random& random) {
  Matrix rows(kSteps, kInputs);
  for (int64_t i = 0; i < kSteps; ++i) {
    for (int64_t k = 0; k < kInputs; ++k) rows.row(i)[k] = range * (2 * random.uniform() - 1);
  }
  return rows;
}

// The row of each step is one of its own.
void arrange(Gru& gru) {
  static const std::vector<int32_t> rows = [] {
    std::vector<int32_t> numbers(kSteps);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }();
  std::vector<std::span<const int32_t>> sequences;
  size_t begin = 0;
  for (const size_t end : kEnds) {
    sequences.push_back(std::span(rows).subspan(begin, end - begin));
    begin = end;
  }
  gru.arrange(std::move(sequences));
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

std::vector<double> last_state(const Matrix& parameters, const Matrix& x, int64_t sequence) {
  std::vector<double> h(kUnits, 0.0);
  const auto at = static_cast<size_t>(sequence);
  for (size_t step = at == 0 ? 0 : kEnds[at - 1]; step < kEnds[at]; ++step) {
    const float* const input = x.row(static_cast<int64_t>(step));
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
      const Matrix x = random_rows(range, random);
      Gru gru(kInputs, kUnits);
      AlignedFloats last(kSequences * gru.width());
      for (int round = 0; round < 2; ++round) {  // what one call leaves does not reach the next
        arrange(gru);
        for (int64_t block = 0; block < gru.blocks(); ++block) {
          gru.forward(parameters.row(0), x, block, last.data());
        }
        double worst = 0;
        for (int64_t i = 0; i < kSequences; ++i) {
          const std::vector<double> wanted = last_state(parameters, x, i);
          const float* const got = last.data() + i * gru.width();
          for (int64_t k = 0; k < kUnits; ++k) {
            worst = std::max(worst, std::abs(wanted[static_cast<size_t>(k)] - double{got[k]}));
          }
          for (int64_t k = kUnits; k < gru.width(); ++k) CHECK(got[k] == 0.0F);
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
    Matrix x = random_rows(1, random);
    Gru gru(kInputs, kUnits);
    AlignedFloats slopes = random_floats(kSequences * gru.width(), 1, random);
    for (int64_t i = 0; i < kSequences; ++i) {
      std::fill_n(slopes.data() + i * gru.width() + kUnits, gru.width() - kUnits, 0.0F);
    }
    const auto objective = [&] {
      double sum = 0;
      for (int64_t i = 0; i < kSequences; ++i) {
        const std::vector<double> h = last_state(parameters, x, i);
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
    AlignedFloats last(kSequences * gru.width());
    AlignedFloats gradient(parameters.rows() * parameters.stride());
    for (int round = 0; round < 2; ++round) {
      arrange(gru);
      for (int64_t block = 0; block < gru.blocks(); ++block) {
        gru.forward(parameters.row(0), x, block, last.data());
        gru.backward(parameters.row(0), slopes.data(), block);
      }
      for (int64_t block = 0; block < gru.parameter_blocks(); ++block) {
        gru.parameter_gradient(block, gradient.data());
      }
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
        worst = std::max(worst, std::abs(double{gru.input_gradient(i)[k]} - slope_of(x.row(i)[k])));
      }
    }
    CHECK(worst < 2e-4);
  });
}

}  // namespace acevec
