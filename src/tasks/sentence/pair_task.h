// Training on pairs as a task of the engine: batches of pairs from anywhere in the text.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tasks/sentence/adversary.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_step.h"
#include "tasks/sentence/pair_text.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

TaskDescription describe_pairs(const PairSettings& settings);

// What training adds to the memory in use when the text has been read and the model is there.
// `words`: of the model.
MemoryPlan pair_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                       const PairSettings& settings, bool keep_best);

class PairTask : public Task {
 public:
  // Trains `model`, a tied bag of which the text has its ids. All must outlive the task.
  PairTask(const PairText& text, const PairSettings& settings, SentenceModel& model);

  int64_t pieces() const override;
  int64_t units() const override { return std::ssize(trained_); }
  void begin_epoch(int64_t epoch) override;
  Parallel parallel() const override { return Parallel::kStep; }
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The hard pairs of the epoch, which the model of its beginning has found.
  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

  // How held-out pairs rank among the second sides of all of them.
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  class PairWorker;

  int64_t begin_of(int64_t piece) const;  // in order_
  std::span<const int64_t> batch(int64_t piece) const;
  std::span<const int64_t> hard_of(int64_t piece) const;
  void find_hard_pairs(Random& random);

  const PairText& text_;
  const PairSettings& settings_;
  SentenceModel& model_;
  NetworkMoments moments_;
  std::optional<SentenceAdversaryState> adversary_;
  std::optional<PairStep> step_;
  std::vector<int64_t> trained_, heldout_, order_;  // pairs; order_: those of trained_, shuffled
  std::vector<int64_t> hard_;                       // of every kHardEvery-th pair of order_
  int64_t hard_epoch_ = -1;                         // that hard_ belongs to
};

}  // namespace acevec
