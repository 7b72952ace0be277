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
#include "tasks/sentence/batch.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/step.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

// The mean of the text's vectors becomes 0. Of a long text that of sentences at equal distances:
// the mean of so many is known to a few thousandths of their spread.
void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model);

TaskDescription describe_sentences(const SentenceSettings& settings);

// What training adds to the memory in use when the text has been read.
MemoryPlan sentence_memory(const SentenceCorpus& corpus, const SentenceShape& shape,
                           const SentenceSettings& settings, bool keep_best);

class SentenceTask : public Task {
 public:
  // Trains `model`, which has two networks. All must outlive the task.
  SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings,
               SentenceModel& model);

  int64_t pieces() const override;
  int64_t units() const override { return trained_; }
  void begin_epoch(int64_t epoch) override;
  Parallel parallel() const override { return Parallel::kStep; }
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The loss on held-out documents, and how often the best candidate is a neighbour.
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  class SentenceWorker;

  std::span<const Passage> batch(int64_t piece) const;

  const SentenceCorpus& corpus_;
  const SentenceSettings& settings_;
  SentenceModel& model_;
  NetworkMoments f_moments_;
  std::optional<NetworkMoments> g_moments_;  // none if g is f
  std::optional<SentenceAdversaryState> adversary_;
  std::optional<SentenceStep> step_;
  std::vector<Passage> passages_, heldout_;  // in the order of the text
  std::vector<Passage> order_;               // passages_, shuffled
  int64_t trained_ = 0;                      // sentences of passages_
};

}  // namespace acevec
