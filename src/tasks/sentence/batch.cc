#include "tasks/sentence/batch.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/bags.h"
#include "kernels/hogwild.h"
#include "kernels/products.h"
#include "tasks/sentence/encoder.h"
#include "train/task.h"

namespace acevec {
namespace {

std::vector<StepRows::Table> tables_of(const std::vector<TrainedNetwork>& networks) {
  std::vector<StepRows::Table> tables;
  tables.reserve(networks.size());
  for (const auto& [network, moments] : networks) tables.push_back({network.rows, moments.rows});
  return tables;
}

constexpr int64_t kSentencesPerBlock = 8;  // sentences that a thread takes at once

// The longest step of one row of parameters; reasonable steps are far shorter.
constexpr float kMaxStep = 1.0F;
}  // namespace

int64_t sum_of_largest(std::vector<int64_t> counts, int64_t most) {
  const auto end = counts.begin() + std::min(most, std::ssize(counts));
  std::partial_sort(counts.begin(), end, counts.end(), std::greater<>());
  return std::accumulate(counts.begin(), end, int64_t{0});
}

double default_label_rate(int64_t labels, int64_t epochs, int64_t steps_of_epoch, double factor) {
  const double more = static_cast<double>(steps_of_epoch) / kUsualLabelSteps;
  const double product = std::cbrt(static_cast<double>(labels)) * std::sqrt(std::max(more, 1.0));
  const double rate = factor * product / static_cast<double>(epochs * steps_of_epoch);
  return std::round(1e4 * std::clamp(rate, 1e-4, 0.1)) / 1e4;
}

double label_rate_factor(std::span<const int64_t> texts_of_label, double tokens_of_text) {
  constexpr double kUsualTokens = 20, kMost = 2;
  const auto labels = static_cast<double>(texts_of_label.size());
  double texts = 0, sum = 0;
  for (const int64_t count : texts_of_label) texts += static_cast<double>(count);
  // The mean of the inverse shares' cube roots; it is the cube root of the number of labels if all
  // are as frequent.
  for (const int64_t count : texts_of_label) sum += std::cbrt(texts / static_cast<double>(count));
  const double rarity = sum / labels / std::cbrt(labels);
  const double length = std::sqrt(std::max(tokens_of_text / kUsualTokens, 1.0));
  return std::min(rarity * length, kMost);
}

NetworkMoments::NetworkMoments(const Network& network)
    : rows(Optimizer::moments_for(kRowOptimizer, network.rows.rows(), network.rows.stride())),
      gates(Optimizer::moments_for(kGateOptimizer, network.gates.rows(), network.gates.stride())) {}

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

void SentenceBatch::list_rows(int64_t i) {
  const Sentence& one = sentence(i);
  const auto before =
      static_cast<int32_t>(one.network == 0 ? 0 : networks_.front().network.rows.rows());
  std::transform(one.rows.begin(), one.rows.end(), rows_.begin() + one.first,
                 [&](int32_t row) { return before + row; });
}

void SentenceBatch::backward(int64_t number, float rate, const StepRows::Bound& bound) {
  step_rows_.group(rows_.data(), occurrences_);
  add_gradients(number, rate);
  step_rows_.step(number, rate, bound);
}

std::unique_ptr<SentenceBatch> make_batch(const SentenceShape& shape,
                                          std::vector<TrainedNetwork> networks,
                                          const BatchLimits& limits, int threads) {
  switch (shape.encoder) {
    case EncoderKind::kBag:
      return std::make_unique<BagBatch>(std::move(networks), kRowOptimizer, limits, threads);
    case EncoderKind::kGru:
      return std::make_unique<GruBatch>(std::move(networks), kRowOptimizer, kGateOptimizer, limits,
                                        threads);
  }
  refuse_case("encoder");
}

BagBatch::BagBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
                   const BatchLimits& limits, int threads)
    : SentenceBatch(std::move(networks), rows, limits, threads),
      log_weight_(networks_.front().network.rows.columns() - 1),
      projections_(static_cast<size_t>(limits.sentences)),
      weights_(static_cast<size_t>(limits.rows)),
      sentence_of_(weights_.size()) {}

void BagBatch::forward() {
  in_blocks(threads_, count(), kSentencesPerBlock, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) encode(i);
  });
}

void BagBatch::encode(int64_t i) {
  list_rows(i);
  if (i + 1 < count()) {
    const Sentence& next = sentence(i + 1);
    prefetch_rows(network_of(next).rows, next.rows.data(), std::ssize(next.rows));
  }
  const Sentence& one = sentence(i);
  const Matrix& rows = network_of(one).rows;
  float* const weights = weights_.data() + one.first;
  float total = 0;
  for (size_t k = 0; k < one.rows.size(); ++k) {
    total += weights[k] = std::exp(rows.row(one.rows[k])[log_weight_]);
  }
  for (size_t k = 0; k < one.rows.size(); ++k) weights[k] /= total;
  std::fill_n(sentence_of_.begin() + one.first, one.rows.size(), static_cast<int32_t>(i));
  float* const mean = vectors_.data() + i * width();
  sum_bag({one.rows.data(), std::ssize(one.rows), width()}, rows.row(0), weights, mean);
  mean[log_weight_] = 0;
}

void BagBatch::take_gradient(int64_t i) {
  gradient(i)[log_weight_] = 0;
  projections_[static_cast<size_t>(i)] = row_product(gradient(i), vector(i), width());
}

// dL/dθ of an occurrence is its weight times dL/dv · (x − v).
void BagBatch::add_gradients(int64_t /*number*/, float /*rate*/) {
  const auto row_of = [&](int64_t occurrence, const Sentence& sentence) {
    return sentence.rows[static_cast<size_t>(occurrence - sentence.first)];
  };
  const auto add = [&](int64_t occurrence, float* sum) {
    const auto at = static_cast<size_t>(occurrence);
    const int64_t i = sentence_of_[at];
    const Sentence& one = sentence(i);
    const float* const row = network_of(one).rows.row(row_of(occurrence, one));
    const float projection = row_product(gradient(i), row, width());
    add_scaled(gradient(i), weights_[at], width(), sum);
    sum[log_weight_] += weights_[at] * (projection - projections_[static_cast<size_t>(i)]);
  };
  const auto prefetch = [&](int64_t occurrence) {
    const Sentence& one = sentence(sentence_of_[static_cast<size_t>(occurrence)]);
    const int32_t row = row_of(occurrence, one);
    prefetch_rows(network_of(one).rows, &row, 1);
  };
  step_rows_.accumulate(add, prefetch);
}

GruBatch::GruBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
                   const OptimizerSettings& gates, const BatchLimits& limits, int threads)
    : SentenceBatch(std::move(networks), rows, limits, threads), gate_settings_(gates) {
  const auto count = std::ssize(networks_);
  for (const TrainedNetwork& trained : networks_) {
    const int64_t size = trained.network.rows.columns();
    const Matrix& parameters = trained.network.gates;
    readers_.push_back(
        {trained, Gru(size, size), AlignedFloats(parameters.rows() * parameters.stride())});
    readers_.back().gru.reserve(limits.sentences / count, limits.rows / count);
  }
}

// Calls body(reader, block) for all blocks of each network's unit.
template <class Body>
void GruBatch::for_each_block(int64_t (Gru::*blocks)() const, const Body& body) {
  const int64_t of_f = (readers_.front().gru.*blocks)();
  const int64_t of_g = readers_.size() > 1 ? (readers_.back().gru.*blocks)() : 0;
  for_each_piece(threads_, of_f + of_g, [&](int, int64_t piece) {
    piece < of_f ? body(readers_.front(), piece) : body(readers_.back(), piece - of_f);
  });
}

// Assigns sentences to each network's unit.
void GruBatch::arrange() {
  int64_t i = 0;
  for (size_t network = 0; network < readers_.size(); ++network) {
    Reader& reader = readers_[network];
    reader.sentence = i;
    reader.occurrence = i < count() ? sentence(i).first : 0;
    std::vector<std::span<const int32_t>> sequences;
    for (; i < count() && sentence(i).network == network; ++i) {
      sequences.push_back(sentence(i).rows);
      list_rows(i);
    }
    reader.gru.arrange(std::move(sequences));
  }
}

void GruBatch::forward() {
  arrange();
  for_each_block(&Gru::blocks, [&](Reader& reader, int64_t block) {
    interrupt_if_stopped();
    const Network& network = reader.trained.network;
    reader.gru.forward(network.gates.row(0), network.rows, block,
                       vectors_.data() + reader.sentence * width());
  });
}

void GruBatch::add_gradients(int64_t number, float rate) {
  for_each_block(&Gru::blocks, [&](Reader& reader, int64_t block) {
    if (interruptible_) interrupt_if_stopped();
    reader.gru.backward(reader.trained.network.gates.row(0), gradient(reader.sentence), block);
  });
  gate_settings_.rate = rate;
  for_each_block(&Gru::parameter_blocks, [&](Reader& reader, int64_t block) {
    step_gates(reader, reader.gru.parameter_gradient(block, reader.gate_changes.data()), number);
  });
  const Reader& g = readers_.back();
  step_rows_.accumulate([&](int32_t occurrence, float* sum) {
    const Reader& reader = occurrence < g.occurrence ? readers_.front() : g;
    add_scaled(reader.gru.input_gradient(occurrence - reader.occurrence), 1, width(), sum);
  });
}

// Takes a step of rows of parameters with the gradients in gate_changes.
void GruBatch::step_gates(Reader& reader, Span rows, int64_t number) {
  auto& [network, moments] = reader.trained;
  for (int32_t i = rows.first; i < rows.last; ++i) {
    float* const change = reader.gate_changes.data() + i * network.gates.stride();
    take_row_step(gate_settings_, number, moments.gates, i, network.gates.stride(),
                  network.gates.row(i), change);
    scatter_add(network.gates, &i, 1, change, kMaxStep);
  }
}

}  // namespace acevec
