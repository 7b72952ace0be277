#include "tasks/sentence/batch.h"

#include <algorithm>

#include "base/error.h"
#include "tasks/sentence/bag_batch.h"
#include "tasks/sentence/gru_batch.h"

namespace acevec {

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

SentenceBatch::SentenceBatch(Matrix& rows, Matrix& moments, const OptimizerSettings& settings,
                             const BatchLimits& limits)
    : batch_(rows, moments, settings, limits.rows),
      vectors_(limits.sentences * rows.stride()),
      gradients_(limits.sentences * rows.stride()) {}

void SentenceBatch::add(const int32_t* rows, size_t count) {
  for (size_t i = 0; i < count; ++i) places_.push_back(batch_.place(rows[i]));
  ends_.push_back(places_.size());
}

void SentenceBatch::forward() {
  batch_.gather();
  std::fill_n(gradients_.data(), count() * width(), 0.0F);
  encode();
}

void SentenceBatch::backward(int64_t step, float rate) {
  push_down(step, rate);
  batch_.step(step, rate);
}

void SentenceBatch::clear() {
  batch_.clear();
  places_.clear();
  ends_.clear();
}

std::unique_ptr<SentenceBatch> make_batch(const SentenceShape& shape, Network& network,
                                          NetworkMoments& moments, const BatchLimits& limits) {
  switch (shape.encoder) {
    case EncoderKind::kBag:
      return std::make_unique<BagBatch>(network.rows, moments.rows, row_optimizer(), limits);
    case EncoderKind::kGru:
      return std::make_unique<GruBatch>(network, moments, row_optimizer(), gate_optimizer(),
                                        limits);
  }
  refuse_case("encoder");
}

int64_t batch_bytes(const SentenceShape& shape, int64_t words, const BatchLimits& limits) {
  const int64_t width = padded(shape.row_columns());
  // Places and ends grow with the sentences, to twice what they need.
  const int64_t common = BatchRows::bytes(words, width, row_optimizer(), limits.rows) +
                         2 * limits.sentences * width * kFloatSize +
                         2 * (limits.rows + limits.sentences) * 8;
  switch (shape.encoder) {
    case EncoderKind::kBag:
      return common + 2 * limits.rows * kFloatSize;
    case EncoderKind::kGru:
      return common + GruBatch::bytes(shape.size, limits);
  }
  refuse_case("encoder");
}

}  // namespace acevec
