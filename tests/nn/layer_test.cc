// A hidden layer forward and backward, for every instruction set, against plain loops in double.

#include "nn/layer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "instruction_sets.h"

namespace acevec::layer_test {
namespace {

constexpr int64_t kInputs = 21;
constexpr int64_t kUnits = 18;
constexpr int64_t kRows = 5;
constexpr int64_t kStride = 24;  // of x
constexpr float kRate = 0.01F;

OptimizerSettings sgd() {
  OptimizerSettings settings;
  settings.kind = OptimizerKind::kSgd;
  settings.rate = kRate;
  settings.ascend = true;
  return settings;
}

AlignedFloats random_floats(int64_t size, float range, Random& random) {
  AlignedFloats floats(size);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = range * (2 * random.uniform() - 1);
  return floats;
}

// W or b of the layer.
double at(const Matrix& parameters, int64_t input, int64_t unit) {
  return double{parameters.row(input)[unit]};
}

double output(const Matrix& parameters, const float* x, int64_t unit) {
  double sum = at(parameters, kInputs, unit);
  for (int64_t i = 0; i < kInputs; ++i) sum += double{x[i]} * at(parameters, i, unit);
  return std::tanh(sum);
}

}  // namespace

TEST_CASE("random weights have the stated range, biases and the spare column are 0") {
  Random random(1);
  const Matrix parameters = DenseLayer::parameters(kInputs, kUnits, kUnits + 1, random);
  CHECK(parameters.rows() == kInputs + 1);
  CHECK(parameters.columns() == kUnits + 1);
  const double range = std::sqrt(6.0 / (kInputs + kUnits));
  double squares = 0;
  for (int64_t i = 0; i < kInputs; ++i) {
    for (int64_t k = 0; k < kUnits; ++k) {
      CHECK(std::abs(at(parameters, i, k)) <= range);
      squares += at(parameters, i, k) * at(parameters, i, k);
    }
    CHECK(at(parameters, i, kUnits) == 0.0);
  }
  CHECK(squares / (kInputs * kUnits) == doctest::Approx(range * range / 3).epsilon(0.15));
  for (int64_t k = 0; k <= kUnits; ++k) CHECK(at(parameters, kInputs, k) == 0.0);
}

TEST_CASE("forward is tanh(x W + b), for inputs of any size, and padding stays 0") {
  for_each_instruction_set([] {
    for (const float range : {0.01F, 1.0F, 30.0F, 1e6F}) {
      Random random(2);
      Matrix parameters = DenseLayer::parameters(kInputs, kUnits, kUnits, random);
      for (int64_t k = 0; k < kUnits; ++k) parameters.row(kInputs)[k] = random.uniform() - 0.5F;
      Matrix moments = Optimizer::moments_for(sgd(), parameters.rows(), parameters.stride());
      DenseLayer layer(parameters, moments, sgd(), kRows);
      const AlignedFloats x = random_floats(kRows * kStride, range, random);
      const float* const y = layer.forward(x.data(), kStride, kRows);
      double worst = 0;
      for (int64_t i = 0; i < kRows; ++i) {
        for (int64_t k = 0; k < layer.width(); ++k) {
          const float got = y[i * layer.width() + k];
          REQUIRE(std::isfinite(got));
          if (k >= kUnits) {
            CHECK(got == 0.0F);
          } else {
            const double wanted = output(parameters, x.data() + i * kStride, k);
            worst = std::max(worst, std::abs(wanted - double{got}));
          }
        }
      }
      CAPTURE(range);
      CHECK(worst < (range <= 1 ? 5e-7 : 2e-5));
    }
  });
}

TEST_CASE("backward steps along the numerical gradient and passes it on") {
  for_each_instruction_set([] {
    Random random(3);
    Matrix parameters = DenseLayer::parameters(kInputs, kUnits, kUnits, random);
    Matrix moments = Optimizer::moments_for(sgd(), parameters.rows(), parameters.stride());
    DenseLayer layer(parameters, moments, sgd(), kRows);
    AlignedFloats x = random_floats(kRows * kStride, 1, random);
    // J = Σ slopes · y.
    const AlignedFloats slopes = random_floats(kRows * layer.width(), 1, random);
    Matrix before(parameters.rows(), kUnits);
    for (int64_t i = 0; i < parameters.rows(); ++i) {
      std::copy_n(parameters.row(i), kUnits, before.row(i));
    }
    const auto objective = [&](const Matrix& matrix) {
      double sum = 0;
      for (int64_t i = 0; i < kRows; ++i) {
        for (int64_t k = 0; k < kUnits; ++k) {
          sum += double{slopes.data()[i * layer.width() + k]} *
                 output(matrix, x.data() + i * kStride, k);
        }
      }
      return sum;
    };
    // Differences of `value` up and down; exact powers of 2, so that float adds nothing.
    const auto slope_of = [&](float& value) {
      const float old = value;
      value = old + 0x1p-9F;
      const double more = objective(before);
      const double above = double{value};
      value = old - 0x1p-9F;
      const double slope = (more - objective(before)) / (above - double{value});
      value = old;
      return slope;
    };

    layer.forward(x.data(), kStride, kRows);
    AlignedFloats gradient(kRows * layer.width());
    std::copy_n(slopes.data(), kRows * layer.width(), gradient.data());
    std::vector<float> x_gradient(kRows * kStride, 99.0F);
    layer.backward(x.data(), kStride, kRows, gradient.data(), x_gradient.data());
    double worst = 0;
    for (int64_t i = 0; i < parameters.rows(); ++i) {
      for (int64_t k = 0; k < kUnits; ++k) {
        const double change = (at(parameters, i, k) - at(before, i, k)) / double{kRate};
        worst = std::max(worst, std::abs(change - slope_of(before.row(i)[k])));
      }
    }
    CHECK(worst < 2e-4);
    worst = 0;
    for (int64_t i = 0; i < kRows * kStride; ++i) {
      const double got = double{x_gradient[static_cast<size_t>(i)]};
      if (i % kStride < kInputs) {
        worst = std::max(worst, std::abs(got - slope_of(x.data()[i])));
      } else {
        CHECK(got == 99.0);
      }
    }
    CHECK(worst < 2e-4);
  });
}

TEST_CASE("a team takes the steps of one thread to the byte, and those of a shared layer") {
  constexpr int64_t kManyInputs = 130, kMany = 50, kColumns = 140;
  for (const OptimizerKind kind : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    const auto train = [&](int threads) {
      OptimizerSettings settings = sgd();
      settings.kind = kind;
      settings.weight_decay = 0.1F;
      Random random(5);
      Matrix parameters = DenseLayer::parameters(kManyInputs, kColumns, kColumns, random);
      Matrix moments = Optimizer::moments_for(settings, parameters.rows(), parameters.stride());
      DenseLayer layer(parameters, moments, settings, kMany, Activation::kTanh, threads);
      const AlignedFloats x = random_floats(kMany * padded(kManyInputs), 1, random);
      const AlignedFloats slopes = random_floats(kMany * layer.width(), 1, random);
      AlignedFloats gradient(kMany * layer.width()), below(kMany * padded(kManyInputs));
      for (int step = 0; step < 3; ++step) {
        layer.forward(x.data(), padded(kManyInputs), kMany);
        for (int64_t i = 0; i < kMany * layer.width(); ++i) {
          gradient.data()[i] = i % layer.width() < kColumns ? slopes.data()[i] : 0;
        }
        layer.backward(x.data(), padded(kManyInputs), kMany, gradient.data(), below.data());
      }
      std::vector<float> all(parameters.row(0),
                             parameters.row(0) + parameters.rows() * parameters.stride());
      all.insert(all.end(), below.data(), below.data() + kMany * padded(kManyInputs));
      return all;
    };
    const std::vector<float> one = train(1);
    for (const int threads : {2, 3, 5, 16}) CHECK(train(threads) == one);
    const std::vector<float> shared = train(DenseLayer::kShared);
    double worst = 0;
    for (size_t i = 0; i < one.size(); ++i) {
      worst = std::max(worst, std::abs(double{one[i]} - double{shared[i]}));
    }
    CHECK(worst < 1e-6);
  }
}

TEST_CASE("other activations: outputs, and the gradient of what they let through") {
  for_each_instruction_set([] {
    for (const Activation activation : {Activation::kRelu, Activation::kNone}) {
      Random random(4);
      Matrix parameters = DenseLayer::parameters(kInputs, kUnits, kUnits, random);
      Matrix moments = Optimizer::moments_for(sgd(), parameters.rows(), parameters.stride());
      DenseLayer layer(parameters, moments, sgd(), kRows, activation);
      const AlignedFloats x = random_floats(kRows * kStride, 1, random);
      const float* const y = layer.forward(x.data(), kStride, kRows);
      AlignedFloats gradient(kRows * layer.width());
      std::fill_n(gradient.data(), kRows * layer.width(), 1.0F);
      std::vector<double> bias_slopes(kUnits);
      for (int64_t i = 0; i < kRows; ++i) {
        for (int64_t k = 0; k < kUnits; ++k) {
          double wanted = std::atanh(output(parameters, x.data() + i * kStride, k));
          const bool passes = activation == Activation::kNone || wanted > 0;
          if (!passes) wanted = 0;
          CHECK(std::abs(wanted - double{y[i * layer.width() + k]}) < 1e-5);
          bias_slopes[static_cast<size_t>(k)] += passes ? 1 : 0;
        }
      }
      layer.backward(x.data(), kStride, kRows, gradient.data(), nullptr);
      for (int64_t k = 0; k < kUnits; ++k) {  // biases were 0
        CHECK(at(parameters, kInputs, k) ==
              doctest::Approx(double{kRate} * bias_slopes[static_cast<size_t>(k)]));
      }
    }
  });
}

}  // namespace acevec::layer_test
