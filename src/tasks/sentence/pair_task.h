// Training on pairs as a task of the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tasks/sentence/adversary.h"
#include "tasks/sentence/batch_task.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_step.h"
#include "tasks/sentence/pair_text.h"
#include "train/memory_plan.h"

namespace acevec {

TaskDescription describe_pairs(const PairSettings& settings);

// What training adds to the memory in use when the text has been read and the model is there.
// `words`: of the model.
MemoryPlan pair_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                       const PairSettings& settings, bool keep_best);

class PairTask : public BatchTask {
 public:
  // Trains `model`, a tied bag of which the text has its ids. All must outlive the task.
  PairTask(const PairText& text, const PairSettings& settings, SentenceModel& model);

  void begin_epoch(int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The hard pairs of the epoch, which the model of its beginning has found.
  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

  // How held-out pairs rank among the second sides of all of them.
  std::optional<Evaluation> evaluate() override;

 private:
  Sums learn(std::span<const int64_t> pairs, int64_t number, float rate, Random& random) override;

  std::optional<SentenceAdversaryState> adversary_;
  std::optional<PairStep> step_;
  int64_t hard_epoch_ = -1;       // that hard_of_ belongs to
  std::vector<int64_t> hard_of_;  // of each pair; −1: none
  std::vector<int64_t> hard_;     // of a step
};

}  // namespace acevec
