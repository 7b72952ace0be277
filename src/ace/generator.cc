#include "ace/generator.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "kernels/hogwild.h"
#include "kernels/products.h"

namespace acevec {
namespace {

// Longest step that one outcome's row may take at once; sound steps are far shorter.
constexpr float kMaxStep = 1.0F;

GeneratorSettings ascending(GeneratorSettings settings) {
  settings.optimizer.ascend = true;
  return settings;
}

// The width of h without the constant 1.
int64_t last_units(const GeneratorSettings& settings) {
  return settings.hidden.empty() ? settings.inputs : settings.hidden.back();
}

}  // namespace

GeneratorParameters::GeneratorParameters(const GeneratorSettings& wanted)
    : settings(ascending(wanted)),
      outputs(settings.outcomes, last_units(settings) + 1),
      output_moments(
          Optimizer::moments_for(settings.optimizer, settings.outcomes, outputs.stride())) {
  int64_t inputs = settings.inputs;
  for (size_t i = 0; i < settings.hidden.size(); ++i) {
    Random random(settings.seed, settings.stream, static_cast<int64_t>(i));
    const int64_t units = settings.hidden[i];
    // The last layer has a column more, for the constant 1.
    const int64_t columns = i + 1 == settings.hidden.size() ? units + 1 : units;
    layers.push_back(DenseLayer::parameters(inputs, units, columns, random));
    layer_moments.push_back(
        Optimizer::moments_for(settings.optimizer, inputs + 1, layers.back().stride()));
    inputs = units;
  }
  for (size_t y = 0; y < settings.biases.size(); ++y) {
    outputs.row(static_cast<int64_t>(y))[outputs.columns() - 1] = settings.biases[y];
  }
}

int64_t GeneratorParameters::bytes(const GeneratorSettings& settings) {
  const int64_t width = padded(last_units(settings) + 1);
  int64_t sum = settings.outcomes * width * kFloatSize +
                Optimizer::moment_bytes(settings.optimizer, settings.outcomes, width);
  int64_t inputs = settings.inputs;
  for (const int64_t units : settings.hidden) {
    sum += (inputs + 1) * padded(units + 1) * kFloatSize +
           Optimizer::moment_bytes(settings.optimizer, inputs + 1, padded(units + 1));
    inputs = units;
  }
  return sum;
}

void GeneratorParameters::list(const std::string& name, std::vector<Parameter>& parameters) {
  for (Matrix& layer : layers) parameters.push_back({name + " layer", &layer, Role::kLearned});
  for (Matrix& moments : layer_moments) {
    parameters.push_back({name + " layer moments", &moments, Role::kMemory});
  }
  parameters.push_back({name + " outputs", &outputs, Role::kLearned});
  parameters.push_back({name + " output moments", &output_moments, Role::kMemory});
}

std::vector<float> log_probabilities(const std::vector<double>& probabilities) {
  constexpr double kLeast = 1e-30;  // a power of the counts may leave a rare word none
  std::vector<float> logs;
  logs.reserve(probabilities.size());
  for (const double p : probabilities) {
    logs.push_back(std::log(static_cast<float>(std::max(p, kLeast))));
  }
  return logs;
}

Generator::Generator(GeneratorParameters& parameters, int64_t most_rows, int64_t block)
    : parameters_(parameters),
      output_steps_(parameters.outputs, parameters.output_moments, parameters.settings.optimizer,
                    block, kMaxStep),
      block_(block),
      linear_(parameters.layers.empty() ? most_rows * width() : 0),
      outputs_(block * width()),
      output_changes_(block * width()) {
  for (size_t i = 0; i < parameters.layers.size(); ++i) {
    layers_.emplace_back(parameters.layers[i], parameters.layer_moments[i],
                         parameters.settings.optimizer, most_rows);
    gradients_.emplace_back(most_rows * layers_.back().width());
  }
}

int64_t Generator::bytes(const GeneratorSettings& settings, int64_t most_rows, int64_t block) {
  const int64_t width = padded(last_units(settings) + 1);
  int64_t sum = 2 * block * width * kFloatSize + RowSteps::bytes(width, settings.optimizer, block) +
                settings.outcomes * static_cast<int64_t>(sizeof(int32_t));
  if (settings.hidden.empty()) return sum + most_rows * width * kFloatSize;
  int64_t inputs = settings.inputs;
  for (const int64_t units : settings.hidden) {
    sum += DenseLayer::bytes(inputs, padded(units + 1), settings.optimizer, most_rows) +
           most_rows * padded(units + 1) * kFloatSize;
    inputs = units;
  }
  return sum;
}

const float* Generator::hidden(const float* features, int64_t rows) {
  rows_ = rows;
  const int64_t constant = parameters_.outputs.columns() - 1;
  float* h = linear_.data();
  if (layers_.empty()) {
    for (int64_t i = 0; i < rows; ++i) {
      std::copy_n(features + i * feature_stride(), constant, h + i * width());
    }
  }
  const float* x = features;
  int64_t x_stride = feature_stride();
  for (DenseLayer& layer : layers_) {
    h = layer.forward(x, x_stride, rows);
    x = h;
    x_stride = layer.width();
  }
  // To the last layer this is a saturated unit: tanh has no slope there, so nothing is learned.
  for (int64_t i = 0; i < rows; ++i) h[i * width() + constant] = 1;
  hidden_ = h;
  return h;
}

// The outputs of candidates begin .. end − 1.
void Generator::gather(int64_t begin, int64_t end) {
  gather_rows(parameters_.outputs, candidates_.data() + begin, end - begin, outputs_.data());
}

void Generator::logits(const float* h, int64_t rows, RowIds candidates, const float* prior,
                       float beta, float* logits) {
  const int64_t count = candidates.count;
  candidates_.assign(candidates.ids, candidates.ids + count);
  for (int64_t begin = 0; begin < count; begin += block_) {
    const int64_t end = std::min(begin + block_, count);
    gather(begin, end);
    score_rows({h, rows}, {outputs_.data(), end - begin}, width(), {logits + begin, count});
  }
  if (prior == nullptr) return;
  for (int64_t i = 0; i < rows * count; ++i) logits[i] += beta * prior[i];
}

// One step of the outputs begin .. end − 1, which adds their part to dJ/dh.
void Generator::learn_outputs(const float* logit_gradient, int64_t begin, int64_t end) {
  const auto count = static_cast<int64_t>(candidates_.size());
  const int64_t some = end - begin;
  const float* const gradient = logit_gradient + begin;
  mix_rows({gradient, 1, count}, some, {hidden_, rows_}, width(), output_changes_.data(), false);
  if (!layers_.empty()) {
    mix_rows({gradient, count, 1}, rows_, {outputs_.data(), some}, width(),
             gradients_.back().data(), begin > 0);
  }
  output_steps_.take(candidates_.data() + begin, some, output_changes_.data(), outputs_.data());
}

void Generator::learn(const float* features, const float* logit_gradient) {
  const auto count = static_cast<int64_t>(candidates_.size());
  for (int64_t begin = 0; begin < count; begin += block_) {
    const int64_t end = std::min(begin + block_, count);
    if (count > block_) gather(begin, end);
    learn_outputs(logit_gradient, begin, end);
  }
  for (size_t i = layers_.size(); i-- > 0;) {
    const bool first = i == 0;
    layers_[i].backward(first ? features : layers_[i - 1].outputs(),
                        first ? feature_stride() : layers_[i - 1].width(), rows_,
                        gradients_[i].data(), first ? nullptr : gradients_[i - 1].data());
  }
}

}  // namespace acevec
