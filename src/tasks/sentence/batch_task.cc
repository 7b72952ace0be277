#include "tasks/sentence/batch_task.h"

#include <algorithm>

namespace acevec {

// It keeps nothing from step to step.
class BatchTask::BatchWorker : public Worker {
 public:
  explicit BatchWorker(BatchTask& task) : task_(task) {}

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    const std::span<const int64_t> batch = task_.batch(piece.index);
    Sums sums = task_.learn(batch, piece.step + 1, static_cast<float>(clock.rate()), random);
    clock.advance(task_.units_of(batch));
    return sums;
  }

 private:
  BatchTask& task_;
};

BatchTask::BatchTask(const SentenceSettings& settings, SentenceModel& model, const Batches& batches)
    : settings_(settings),
      model_(model),
      f_moments_(model.f),
      together_(batches.together),
      equal_(batches.equal) {
  if (model.second) g_moments_.emplace(*model.second);
  if (settings.adversary) adversary_.emplace(*settings.adversary, model.shape.size, settings.seed);
  for (int64_t item = 0; item < batches.items; ++item) {
    Random random(settings.seed, Stream::kSentenceHeldOut, batches.group_of(item));
    const bool held_out = random.uniform() < static_cast<float>(settings.heldout);
    (held_out ? heldout_ : trained_).push_back(item);
  }
  order_ = trained_;
}

std::vector<TrainedNetwork> BatchTask::networks() {
  std::vector<TrainedNetwork> networks{{model_.f, f_moments_}};
  if (model_.second) networks.push_back({*model_.second, *g_moments_});
  return networks;
}

int64_t BatchTask::pieces() const {
  return (std::ssize(trained_) + together_ - 1) / together_;
}

std::span<const int64_t> BatchTask::batch(int64_t piece) const {
  const int64_t items = std::ssize(order_);
  const auto end_of = [&](int64_t pieces_before) {
    return equal_ ? items * pieces_before / pieces() : std::min(items, pieces_before * together_);
  };
  const int64_t begin = end_of(piece), end = end_of(piece + 1);
  return std::span(order_).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
}

void BatchTask::begin_epoch(int64_t epoch) {
  order_ = trained_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
}

std::unique_ptr<Worker> BatchTask::make_worker(int /*thread*/, int64_t /*epoch*/) {
  return std::make_unique<BatchWorker>(*this);
}

std::vector<Parameter> BatchTask::parameters() {
  std::vector<Parameter> parameters;
  std::string name = "f";
  for (const auto& [network, moments] : networks()) {
    parameters.push_back({name, &network.rows, Role::kResult});
    parameters.push_back({name + " moments", &moments.rows, Role::kMemory});
    if (!model_.shape.has_weights()) {
      parameters.push_back({name + " gates", &network.gates, Role::kResult});
      parameters.push_back({name + " gates' moments", &moments.gates, Role::kMemory});
    }
    name = "g";
  }
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

void BatchTask::write_snapshot(const std::string& path) const {
  CheckpointWriter file(path);
  write_sentence_model(model_, file);
  file.commit();
}

}  // namespace acevec
