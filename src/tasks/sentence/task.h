// Sentence encoders as a task of the engine: batches of passages, in which each sentence picks its
// neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tasks/sentence/adversary.h"
#include "tasks/sentence/batch_task.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/step.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

// Sets the model's centre so that the mean of the text's vectors is 0. For a long text it uses a
// sample of sentences at equal distances, whose mean is exact to a few thousandths of their spread.
void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model);

TaskDescription describe_sentences(const SentenceSettings& settings);

// The memory that training adds to that in use when the text has been read.
MemoryPlan sentence_memory(const SentenceCorpus& corpus, const SentenceShape& shape,
                           const SentenceSettings& settings, bool keep_best);

class SentenceTask : public BatchTask {
 public:
  // Trains `model`, which has two networks. All must outlive the task.
  SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings, SentenceModel& model)
      : SentenceTask(corpus, settings, model, passages_of(corpus, settings.passage)) {}

  // The loss on held-out documents, and the share of sentences whose best candidate is a neighbour.
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings, SentenceModel& model,
               std::vector<Passage> passages);

  Sums learn_items(std::span<const int64_t> passages, int64_t number, float rate,
                   Random& random) override;
  int64_t units_of(std::span<const int64_t> passages) const override;  // sentences

  const SentenceCorpus& corpus_;
  std::vector<Passage> passages_;  // of the text, in its order
  SentenceStep step_;
  std::vector<Passage> batch_;
};

}  // namespace acevec
