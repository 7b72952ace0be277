#include "tasks/sentence/gru_batch.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/hogwild.h"
#include "kernels/products.h"
#include "train/task.h"

namespace acevec {
namespace {

// Longest step that one row of parameters may take at once; sound steps are far shorter.
constexpr float kMaxStep = 1.0F;

constexpr int64_t kGatesTogether = 16;  // rows of parameters that a thread steps together

}  // namespace

GruBatch::GruBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
                   const OptimizerSettings& gates, const BatchLimits& limits, int threads)
    : SentenceBatch(std::move(networks), rows, limits, threads), gate_settings_(gates) {
  const auto sharing = std::ssize(networks_);
  for (const TrainedNetwork& trained : networks_) {
    const int64_t size = trained.network.rows.columns();
    const Matrix& parameters = trained.network.gates;
    readers_.push_back(
        {trained, Gru(size, size), AlignedFloats(parameters.rows() * parameters.stride())});
    readers_.back().gru.reserve(limits.sentences / sharing, limits.rows / sharing);
  }
}

int64_t GruBatch::bytes(int64_t size, int64_t networks, const BatchLimits& limits) {
  return Gru::bytes(size, size, limits.sentences, limits.rows) +
         networks * Gru::parameter_rows(size, size) * Gru::parameter_columns(size) * kFloatSize;
}

// Calls body(reader, block) for as many blocks as each network's unit has.
template <class Body>
void GruBatch::for_each_block(int64_t (Gru::*blocks)() const, const Body& body) {
  const int64_t of_f = (readers_.front().gru.*blocks)();
  const int64_t of_g = readers_.size() > 1 ? (readers_.back().gru.*blocks)() : 0;
  for_each_piece(threads_, of_f + of_g, [&](int, int64_t piece) {
    piece < of_f ? body(readers_.front(), piece) : body(readers_.back(), piece - of_f);
  });
}

// Gives each network's unit its sentences.
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
    give_up_if_stopped();
    const Network& network = reader.trained.network;
    reader.gru.forward(network.gates.row(0), network.rows, block,
                       vectors_.data() + reader.sentence * width());
  });
}

void GruBatch::push_down(int64_t number, float rate) {
  for_each_block(&Gru::blocks, [&](Reader& reader, int64_t block) {
    if (may_give_up_) give_up_if_stopped();
    reader.gru.backward(reader.trained.network.gates.row(0), gradient(reader.sentence), block);
  });
  for_each_block(&Gru::parameter_blocks, [&](Reader& reader, int64_t block) {
    if (may_give_up_) give_up_if_stopped();
    reader.gru.parameter_gradient(block, reader.gate_changes.data());
  });
  gate_settings_.rate = rate;
  for (Reader& reader : readers_) {
    in_blocks(threads_, reader.trained.network.gates.rows(), kGatesTogether,
              [&](int64_t begin, int64_t end) {
                step_gates(reader, static_cast<int32_t>(begin), static_cast<int32_t>(end), number);
              });
  }
}

// Rows of parameters take the step for which gate_changes has the gradient.
void GruBatch::step_gates(Reader& reader, int32_t begin, int32_t end, int64_t number) {
  auto& [network, moments] = reader.trained;
  for (int32_t i = begin; i < end; ++i) {
    float* const change = reader.gate_changes.data() + i * network.gates.stride();
    take_row_step(gate_settings_, number, moments.gates, i, network.gates.stride(),
                  network.gates.row(i), change);
    scatter_add(network.gates, &i, 1, change, kMaxStep);
  }
}

void GruBatch::add_gradients() {
  const Reader& g = readers_.back();
  step_rows_.accumulate([&](int32_t occurrence, float* sum) {
    const Reader& reader = occurrence < g.occurrence ? readers_.front() : g;
    add_scaled(reader.gru.input_gradient(occurrence - reader.occurrence), 1, width(), sum);
  });
}

}  // namespace acevec
