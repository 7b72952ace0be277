#include "tasks/sentence/batch.h"

#include <algorithm>

#include "base/error.h"
#include "tasks/sentence/bag_batch.h"
#include "tasks/sentence/gru_batch.h"

namespace acevec {
namespace {

std::vector<StepRows::Table> tables_of(const std::vector<TrainedNetwork>& networks) {
  std::vector<StepRows::Table> tables;
  tables.reserve(networks.size());
  for (const auto& [network, moments] : networks) tables.push_back({network.rows, moments.rows});
  return tables;
}

}  // namespace

OptimizerSettings row_optimizer() {
  OptimizerSettings settings{OptimizerKind::kAdam};
  settings.beta1 = 0;  // rows are touched too rarely for momentum
  return settings;
}

OptimizerSettings gate_optimizer() {
  return {OptimizerKind::kAdam};
}

NetworkMoments::NetworkMoments(const Network& network)
    : rows(Optimizer::moments_for(row_optimizer(), network.rows.rows(), network.rows.stride())),
      gates(
          Optimizer::moments_for(gate_optimizer(), network.gates.rows(), network.gates.stride())) {}

int64_t NetworkMoments::bytes(const SentenceShape& shape, int64_t words) {
  return Optimizer::moment_bytes(row_optimizer(), words, padded(shape.row_columns())) +
         Optimizer::moment_bytes(gate_optimizer(), shape.gate_rows(), padded(shape.gate_columns()));
}

SentenceBatch::SentenceBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
                             const BatchLimits& limits, int threads)
    : networks_(std::move(networks)),
      threads_(threads),
      step_rows_(tables_of(networks_), rows, limits.rows, threads),
      vectors_(limits.sentences * width()),
      gradients_(limits.sentences * width()),
      rows_(static_cast<size_t>(limits.rows)) {
  sentences_.reserve(static_cast<size_t>(limits.sentences));
}

void SentenceBatch::add(size_t network, std::span<const int32_t> rows) {
  sentences_.push_back({rows, network, occurrences_});
  occurrences_ += std::ssize(rows);
}

void SentenceBatch::list_rows(int64_t i) {
  const Sentence& one = sentence(i);
  const auto before =
      static_cast<int32_t>(one.network == 0 ? 0 : networks_.front().network.rows.rows());
  std::transform(one.rows.begin(), one.rows.end(), rows_.begin() + one.first,
                 [&](int32_t row) { return before + row; });
}

void SentenceBatch::backward(int64_t number, float rate, const StepRows::Bound& bound) {
  push_down(number, rate);
  step_rows_.group(rows_.data(), occurrences_);
  add_gradients();
  step_rows_.step(number, rate, bound);
}

void SentenceBatch::clear() {
  sentences_.clear();
  occurrences_ = 0;
  may_give_up_ = true;
}

std::unique_ptr<SentenceBatch> make_batch(const SentenceShape& shape,
                                          std::vector<TrainedNetwork> networks,
                                          const BatchLimits& limits, int threads) {
  switch (shape.encoder) {
    case EncoderKind::kBag:
      return std::make_unique<BagBatch>(std::move(networks), row_optimizer(), limits, threads);
    case EncoderKind::kGru:
      return std::make_unique<GruBatch>(std::move(networks), row_optimizer(), gate_optimizer(),
                                        limits, threads);
  }
  refuse_case("encoder");
}

int64_t batch_bytes(const SentenceShape& shape, int64_t words, const BatchLimits& limits) {
  const int64_t width = padded(shape.row_columns()), networks = shape.tied ? 1 : 2;
  const int64_t common = StepRows::bytes(networks * words, width, limits.rows) +
                         2 * limits.sentences * width * kFloatSize + 4 * limits.rows;
  switch (shape.encoder) {
    case EncoderKind::kBag:
      return common + BagBatch::bytes(limits);
    case EncoderKind::kGru:
      return common + GruBatch::bytes(shape.size, networks, limits);
  }
  refuse_case("encoder");
}

}  // namespace acevec
