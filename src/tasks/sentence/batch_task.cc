#include "tasks/sentence/batch_task.h"

namespace acevec {

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

int64_t BatchTask::first_of(int64_t piece) const {
  return equal_ ? items() * piece / pieces() : StepTask::first_of(piece);
}

Sums BatchTask::learn(const Piece& piece, int64_t first, int64_t last, Random& random,
                      Clock& clock) {
  const auto batch =
      std::span(order_).subspan(static_cast<size_t>(first), static_cast<size_t>(last - first));
  Sums sums = learn_items(batch, piece.step + 1, static_cast<float>(clock.rate()), random);
  clock.advance(units_of(batch));
  return sums;
}

void BatchTask::begin_epoch(int64_t epoch) {
  order_ = trained_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
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
