#include "tasks/sentence/gru_batch.h"

#include <algorithm>
#include <numeric>

#include "kernels/hogwild.h"

namespace acevec {
namespace {

// Longest step that one row of parameters may take at once; sound steps are far shorter.
constexpr float kMaxStep = 1.0F;

}  // namespace

GruBatch::GruBatch(Network& network, NetworkMoments& moments, const OptimizerSettings& rows,
                   const OptimizerSettings& gates, const BatchLimits& limits)
    : SentenceBatch(network.rows, moments.rows, rows, limits),
      gates_(network.gates),
      gate_optimizer_(gates, moments.gates, gates_.stride(), gates_.rows()),
      gate_ids_(static_cast<size_t>(gates_.rows())),
      parameters_(gates_.rows() * gates_.stride()),
      parameter_changes_(gates_.rows() * gates_.stride()),
      gru_(network.rows.columns(), network.rows.columns()),
      inputs_(limits.rows * width()),
      input_changes_(limits.rows * width()),
      last_changes_(limits.sentences * width()) {
  gru_.reserve(limits.sentences, limits.rows);
  std::iota(gate_ids_.begin(), gate_ids_.end(), 0);
}

int64_t GruBatch::bytes(int64_t size, const BatchLimits& limits) {
  const int64_t parameters = Gru::parameter_rows(size, size) * Gru::parameter_columns(size);
  return Gru::bytes(size, limits.sentences, limits.rows) +
         (2 * parameters + (2 * limits.rows + limits.sentences) * padded(size)) *
             static_cast<int64_t>(sizeof(float)) +
         Optimizer::moment_bytes(gate_optimizer(), Gru::parameter_rows(size, size),
                                 Gru::parameter_columns(size));
}

void GruBatch::encode() {
  gather_rows(gates_, gate_ids_.data(), gates_.rows(), parameters_.data());
  lengths_.clear();
  size_t begin = 0;
  for (const size_t end : ends) {
    lengths_.push_back(end - begin);
    begin = end;
  }
  order_.emplace(lengths_);
  order_->for_each_step([&](int64_t row, size_t sentence, size_t t) {
    const int64_t place = places[ends[sentence] - lengths_[sentence] + t];
    std::copy_n(batch.values() + place, width(), inputs_.data() + row * width());
  });
  gru_.forward(parameters_.data(), inputs_.data(), width(), order_->active());
  for (int64_t i = 0; i < count(); ++i) {
    const auto sentence = static_cast<int64_t>(order_->sequences()[static_cast<size_t>(i)]);
    std::copy_n(gru_.last(i), width(), vectors.data() + sentence * width());
  }
}

void GruBatch::push_down(int64_t step, float rate) {
  for (int64_t i = 0; i < count(); ++i) {
    const auto sentence = static_cast<int64_t>(order_->sequences()[static_cast<size_t>(i)]);
    std::copy_n(gradient(sentence), width(), last_changes_.data() + i * width());
  }
  gru_.backward(parameters_.data(), inputs_.data(), width(), last_changes_.data(),
                input_changes_.data(), parameter_changes_.data());
  order_->for_each_step([&](int64_t row, size_t sentence, size_t t) {
    float* const change = batch.changes() + places[ends[sentence] - lengths_[sentence] + t];
    const float* const more = input_changes_.data() + row * width();
    for (int64_t k = 0; k < width(); ++k) change[k] += more[k];
  });
  gate_optimizer_.set_step(step);
  gate_optimizer_.set_rate(rate);
  gate_optimizer_.changes(gate_ids_.data(), gates_.rows(), parameters_.data(),
                          parameter_changes_.data());
  scatter_add(gates_, gate_ids_.data(), gates_.rows(), parameter_changes_.data(), kMaxStep);
}

}  // namespace acevec
