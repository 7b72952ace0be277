#include "ace/generator.h"

#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "kernels/policy_kernels.h"
#include "kernels/products.h"
#include "math/table_products.h"

namespace acevec {
namespace {

constexpr float kMaxStep = 1.0F;  // the longest step of a row; reasonable ones are far shorter

constexpr int64_t kPanel = 24;             // outputs that a thread of a team takes at once
constexpr int64_t kLogitsPerBlock = 4096;  // logits, likewise
constexpr int64_t kRows = 4;  // rows, likewise: few, since one may have all entities of a graph

}  // namespace

GeneratorParameters::GeneratorParameters(const GeneratorSettings& wanted)
    : settings(wanted),
      outputs(settings.outcomes,
              1 + (settings.hidden.empty() ? settings.inputs : settings.hidden.back())),
      output_moments(
          Optimizer::moments_for(settings.optimizer, settings.outcomes, outputs.stride())) {
  settings.optimizer.ascend = true;
  int64_t inputs = settings.inputs;
  for (size_t i = 0; i < settings.hidden.size(); ++i) {
    Random random(settings.seed, settings.stream, static_cast<int64_t>(i));
    const int64_t units = settings.hidden[i];
    // The last layer has one more column, for the constant 1.
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

void GeneratorParameters::list(const std::string& name, std::vector<Parameter>& parameters) {
  for (Matrix& layer : layers) parameters.push_back({name + " layer", &layer, Role::kLearned});
  for (Matrix& moments : layer_moments) {
    parameters.push_back({name + " layer moments", &moments, Role::kMemory});
  }
  parameters.push_back({name + " outputs", &outputs, Role::kLearned});
  parameters.push_back({name + " output moments", &output_moments, Role::kMemory});
}

std::vector<float> log_probabilities(const std::vector<double>& probabilities) {
  constexpr double kLeast = 1e-30;  // a power of the counts may underflow for a rare word
  std::vector<float> logs;
  logs.reserve(probabilities.size());
  for (const double p : probabilities) {
    logs.push_back(std::log(static_cast<float>(std::max(p, kLeast))));
  }
  return logs;
}

Generator::Generator(GeneratorParameters& parameters, int64_t most_rows, int64_t block, int threads)
    : parameters_(parameters),
      block_(block),
      threads_(threads),
      places_(threads == DenseLayer::kShared ? 0 : static_cast<size_t>(parameters.outputs.rows()),
              -1),
      linear_(parameters.layers.empty() ? most_rows * width() : 0),
      outputs_(block * width()),
      output_changes_((threads == DenseLayer::kShared ? block : threads * kPanel) * width()) {
  const OptimizerSettings& optimizer = parameters.settings.optimizer;
  if (threads == DenseLayer::kShared) {
    output_steps_.emplace(parameters.outputs, parameters.output_moments, optimizer, block,
                          kMaxStep);
  }
  for (size_t i = 0; i < parameters.layers.size(); ++i) {
    layers_.emplace_back(parameters.layers[i], parameters.layer_moments[i], optimizer, most_rows,
                         Activation::kTanh, threads);
    gradients_.emplace_back(most_rows * layers_.back().width());
  }
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
  // For the last layer this is a saturated unit: its tanh has derivative 0, so it learns nothing.
  for (int64_t i = 0; i < rows; ++i) h[i * width() + constant] = 1;
  hidden_ = h;
  return h;
}

// The outputs of candidates begin .. end − 1, copied if scattered, or if others may change them.
const float* Generator::outputs(int64_t begin, int64_t end) {
  if (all_ && threads_ != DenseLayer::kShared) return parameters_.outputs.row(begin);
  in_blocks(threads_, end - begin, kPanel, [&](int64_t first, int64_t last) {
    gather_rows(parameters_.outputs, candidates_.data() + begin + first, last - first,
                outputs_.data() + first * width());
  });
  return outputs_.data();
}

// Keeps candidates until learn(); a list of all outcomes is kept for reuse.
void Generator::take_candidates(RowIds candidates) {
  const bool all = candidates.ids == nullptr;
  if (!all) {
    candidates_.assign(candidates.ids, candidates.ids + candidates.count);
  } else if (!all_) {
    candidates_.resize(static_cast<size_t>(candidates.count));
    std::iota(candidates_.begin(), candidates_.end(), 0);
  }
  all_ = all;
}

void Generator::logits(const float* h, int64_t rows, RowIds candidates, const float* prior,
                       float beta, float* logits) {
  const int64_t count = candidates.count;
  take_candidates(candidates);
  // A team has room for all candidates, or reads them in place.
  const int64_t block = threads_ == DenseLayer::kShared ? block_ : std::max<int64_t>(count, 1);
  for (int64_t begin = 0; begin < count; begin += block) {
    const int64_t end = std::min(begin + block, count);
    score_tables({h, rows}, {outputs(begin, end), end - begin}, width(), {logits + begin, count},
                 threads_);
  }
  if (threads_ != DenseLayer::kShared) find_repeats();
  if (prior == nullptr) return;
  in_blocks(threads_, rows * count, kLogitsPerBlock, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) logits[i] += beta * prior[i];
  });
}

// Takes a step of the outputs begin .. end − 1, and adds their part of dJ/dh.
void Generator::learn_shared_outputs(const float* logit_gradient, int64_t begin, int64_t end) {
  const auto count = static_cast<int64_t>(candidates_.size());
  const int64_t some = end - begin;
  const float* const gradient = logit_gradient + begin;
  mix_rows({gradient, 1, count}, some, {hidden_, rows_}, width(), output_changes_.data(), false);
  if (!layers_.empty()) {
    mix_rows({gradient, count, 1}, rows_, {outputs_.data(), some}, width(),
             gradients_.back().data(), begin > 0);
  }
  output_steps_->take(candidates_.data() + begin, some, output_changes_.data(), outputs_.data());
}

// Lists repeated candidates, and sets all but the first to −1.
void Generator::find_repeats() {
  repeats_.clear();
  if (all_) return;
  for (size_t k = 0; k < candidates_.size(); ++k) {
    int32_t& place = places_[static_cast<size_t>(candidates_[k])];
    if (place < 0) {
      place = static_cast<int32_t>(k);
    } else {
      repeats_.push_back({place, static_cast<int32_t>(k)});
      candidates_[k] = -1;
    }
  }
  for (const int32_t y : candidates_) {
    if (y >= 0) places_[static_cast<size_t>(y)] = -1;
  }
}

// dJ/dh, and then one step of the outputs, which a team takes.
void Generator::learn_outputs(const float* logit_gradient) {
  const auto count = static_cast<int64_t>(candidates_.size());
  if (!layers_.empty()) {
    const float* const table = all_ ? parameters_.outputs.row(0) : outputs_.data();
    mix_tables({logit_gradient, count, 1}, rows_, {table, count}, width(), gradients_.back().data(),
               threads_, false);
  }
  for_each_piece(threads_, (count + kPanel - 1) / kPanel, [&](int thread, int64_t panel) {
    step_outputs(logit_gradient, panel * kPanel, std::min(count, (panel + 1) * kPanel),
                 output_changes_.data() + thread * kPanel * width());
  });
}

void Generator::step_outputs(const float* logit_gradient, int64_t begin, int64_t end,
                             float* changes) {
  const auto count = static_cast<int64_t>(candidates_.size());
  const RowBlock h{hidden_, rows_};
  mix_tables({logit_gradient + begin, 1, count}, end - begin, h, width(), changes, 1, false);
  for (const auto [first, place] : repeats_) {
    if (first < begin || first >= end) continue;
    mix_tables({logit_gradient + place, 1, count}, 1, h, width(),
               changes + (first - begin) * width());
  }
  for (int64_t k = begin; k < end; ++k) {
    const int32_t y = candidates_[static_cast<size_t>(k)];
    if (y < 0) continue;
    float* const change = changes + (k - begin) * width();
    take_row_step(parameters_.settings.optimizer, 1, parameters_.output_moments, y, width(),
                  parameters_.outputs.row(y), change);
    scatter_add(parameters_.outputs, &y, 1, change, kMaxStep);
  }
}

void Generator::learn(const float* features, const float* logit_gradient) {
  if (output_steps_) {
    const auto count = static_cast<int64_t>(candidates_.size());
    for (int64_t begin = 0; begin < count; begin += block_) {
      const int64_t end = std::min(begin + block_, count);
      if (count > block_) outputs(begin, end);
      learn_shared_outputs(logit_gradient, begin, end);
    }
  } else {
    learn_outputs(logit_gradient);
  }
  for (size_t i = layers_.size(); i-- > 0;) {
    const bool first = i == 0;
    layers_[i].backward(first ? features : layers_[i - 1].outputs(),
                        first ? feature_stride() : layers_[i - 1].width(), rows_,
                        gradients_[i].data(), first ? nullptr : gradients_[i - 1].data());
  }
}

HiddenTable::HiddenTable(Matrix& table, const Matrix& features, int64_t rows, int64_t first)
    : table_(table),
      features_(features),
      next_(first % table.rows()),
      ids_(static_cast<size_t>(std::min(rows, table.rows()))),
      inputs_(rows * features.stride()) {}

void HiddenTable::refresh(Generator& generator) {
  for (int32_t& id : ids_) {
    id = static_cast<int32_t>(next_);
    next_ = (next_ + 1) % table_.rows();
  }
  const auto count = static_cast<int64_t>(ids_.size());
  gather_rows(features_, ids_.data(), count, inputs_.data());
  write_rows(table_, ids_.data(), count, generator.hidden(inputs_.data(), count));
}

FullSoftmax::FullSoftmax(GeneratorParameters& parameters, int64_t most_rows, int threads)
    : generator_(parameters, most_rows, threads == DenseLayer::kShared ? kBlock : 0, threads),
      outcomes_(parameters.settings.outcomes),
      threads_(threads),
      g_(static_cast<size_t>(most_rows * outcomes_)),
      gradient_(g_.size()),
      entropies_(static_cast<size_t>(most_rows)) {}

void FullSoftmax::compute(const float* features, int64_t rows, const float* prior, float beta) {
  rows_ = rows;
  const float* const h = generator_.hidden(features, rows);
  generator_.logits(h, rows, {nullptr, outcomes_}, prior, beta, g_.data());
  in_blocks(threads_, rows, kRows, [&](int64_t begin, int64_t end) {
    float* const g = g_.data() + begin * outcomes_;
    softmax_rows(g, 1, {nullptr, end - begin, outcomes_}, g, entropies_.data() + begin);
  });
}

double FullSoftmax::leave_out(const uint8_t* observed) {
  return static_cast<double>(rows_) -
         sum_in_blocks(threads_, rows_, kRows, [&](int64_t begin, int64_t end) {
           return leave_out_observed(observed + begin * outcomes_, end - begin, outcomes_,
                                     g_.data() + begin * outcomes_);
         });
}

void FullSoftmax::learn(const PolicySettings& policy, const FullTurn& turn) {
  const float floor = entropy_of_choices(policy.entropy_floor);
  in_blocks(threads_, rows_, kRows, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * outcomes_, rows = end - begin;
    if (policy.estimator == PolicySettings::Estimator::kExact) {
      expected_reward_gradient(g_.data() + first, turn.rewards + first, rows, outcomes_,
                               gradient_.data() + first);
    } else {
      for (int64_t i = begin; i < end; ++i) sum_draws(policy, turn, i);
    }
    add_entropy_floor_gradient(g_.data() + first, entropies_.data() + begin, floor, rows, outcomes_,
                               gradient_.data() + first);
  });
  generator_.learn(turn.features, gradient_.data());
}

// The row's gradient is Σ over draws of weight · (δ − g); the terms in g are added as one.
void FullSoftmax::sum_draws(const PolicySettings& policy, const FullTurn& turn, int64_t row) {
  const float* const g = probabilities(row);
  const float* const rewards = turn.rewards + row * outcomes_;
  float* const gradient = gradient_.data() + row * outcomes_;
  const float baseline = baseline_of(policy, g, rewards, outcomes_);
  float sum = 0;
  const auto add = [&](int32_t y, float importance) {
    const float weight = importance * (rewards[y] - baseline) / static_cast<float>(turn.count);
    gradient[y] += weight;
    sum += weight;
  };
  std::fill_n(gradient, outcomes_, 0.0F);
  for (int64_t j = row * turn.count; j < (row + 1) * turn.count; ++j) {
    if (turn.drawn[j] >= 0) add(turn.drawn[j], 1);
  }
  if (policy.estimator == PolicySettings::Estimator::kOffPolicy) {
    for (int64_t j = row * turn.count; j < (row + 1) * turn.count; ++j) {
      const int32_t y = turn.noise[j];
      const float importance = g[y] / static_cast<float>(turn.noise_probabilities[y]);
      add(y, std::min(importance, kMaxImportanceWeight));
    }
  }
  for (int64_t y = 0; y < outcomes_; ++y) gradient[y] -= sum * g[y];
}

}  // namespace acevec
