// Training on labelled texts as a task of the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tasks/sentence/batch_task.h"
#include "tasks/sentence/label_step.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_step.h"
#include "tasks/sentence/pair_text.h"
#include "train/memory_plan.h"

namespace acevec {

TaskDescription describe_labels();

// As pair_memory().
MemoryPlan label_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                        const PairSettings& settings, bool keep_best);

class LabelTask : public BatchTask {
 public:
  // Trains `model`, a tied bag of which the text has its ids, with the labels of the text. All must
  // outlive the task. Of the settings what is of pairs does not matter.
  LabelTask(const PairText& text, const PairSettings& settings, SentenceModel& model);

  std::vector<Parameter> parameters() override;

  // How many of the held-out texts' most likely labels are right.
  std::optional<Evaluation> evaluate() override;

 private:
  Sums learn(std::span<const int64_t> lines, int64_t number, float rate, Random& random) override;

  Matrix layer_moments_;
  LabelStep step_;
};

}  // namespace acevec
