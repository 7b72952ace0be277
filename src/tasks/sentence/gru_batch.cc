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
      gru_(network.rows.columns(), network.rows.columns()) {
  gru_.reserve(limits.sentences, limits.rows);
  std::iota(gate_ids_.begin(), gate_ids_.end(), 0);
}

int64_t GruBatch::bytes(int64_t size, const BatchLimits& limits) {
  const int64_t rows = Gru::parameter_rows(size, size), columns = Gru::parameter_columns(size);
  return Gru::bytes(size, size, limits.sentences, limits.rows) + 2 * rows * columns * kFloatSize +
         Optimizer::moment_bytes(gate_optimizer(), rows, columns) +
         4 * limits.rows * static_cast<int64_t>(sizeof(float*));
}

void GruBatch::encode() {
  gather_rows(gates_, gate_ids_.data(), gates_.rows(), parameters_.data());
  rows_.clear();
  for (const int64_t place : places_) rows_.push_back(batch_.values() + place);
  gru_.forward(parameters_.data(), rows_, ends_);
  std::copy_n(gru_.last(0), count() * width(), vectors_.data());
}

void GruBatch::push_down(int64_t step, float rate) {
  row_changes_.clear();
  for (const int64_t place : places_) row_changes_.push_back(batch_.changes() + place);
  gru_.backward(parameters_.data(), gradients_.data(), row_changes_, parameter_changes_.data());
  gate_optimizer_.set_step(step);
  gate_optimizer_.set_rate(rate);
  gate_optimizer_.changes(gate_ids_.data(), gates_.rows(), parameters_.data(),
                          parameter_changes_.data());
  scatter_add(gates_, gate_ids_.data(), gates_.rows(), parameter_changes_.data(), kMaxStep);
}

}  // namespace acevec
