// What tasks have in common that learn from batches of lines from anywhere in a text, and write a
// model of sentences.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tasks/sentence/batch.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_step.h"
#include "tasks/sentence/pair_text.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

// A step of so many pairs at most, those with the longest texts.
BatchLimits longest_batch(const PairText& text, int64_t batch);

// What training adds to the memory in use, whatever is learned, when the text has been read and the
// model is there. `words`: of the model.
MemoryPlan batch_memory(const SentenceShape& shape, int64_t words, bool keep_best);

class BatchTask : public Task {
 public:
  // Trains `model`, a tied bag of which the text has its ids. Of its lines a share is held out. All
  // must outlive the task.
  BatchTask(const PairText& text, const PairSettings& settings, SentenceModel& model);

  int64_t pieces() const override;
  int64_t units() const override { return std::ssize(trained_); }
  void begin_epoch(int64_t epoch) override;
  Parallel parallel() const override { return Parallel::kStep; }
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  void write_snapshot(const std::string& path) const override;

 protected:
  // Step `number` of the run, from 1.
  virtual Sums learn(std::span<const int64_t> lines, int64_t number, float rate,
                     Random& random) = 0;

  const std::vector<int64_t>& heldout() const { return heldout_; }
  const std::vector<int64_t>& order() const { return order_; }  // of the epoch

  const PairText& text_;
  const PairSettings& settings_;
  SentenceModel& model_;
  NetworkMoments moments_;

 private:
  class BatchWorker;

  std::span<const int64_t> batch(int64_t piece) const;

  std::vector<int64_t> trained_, heldout_, order_;  // lines; order_: those of trained_, shuffled
};

}  // namespace acevec
