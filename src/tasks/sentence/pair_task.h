// Training on pairs of texts, and on texts with labels, as tasks of the engine: batches of lines
// from anywhere in a text.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "tasks/sentence/adversary.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/batch_task.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_step.h"
#include "tasks/sentence/pair_text.h"
#include "tasks/sentence/retrieval.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

// A row for side 0 or 1 of each of `pairs`, as SentenceEncoder makes it.
Matrix side_vectors(const PairText& text, const SentenceModel& model,
                    std::span<const int64_t> pairs, int side, int threads);

// How the second sides of `pairs` rank for their first sides, among those of all of them, equal
// ones once.
RankingScores score_pairs(const PairText& text, const SentenceModel& model,
                          std::span<const int64_t> pairs, int threads);

// Hard negatives from beyond a batch (ANCE, Xiong et al. 2021). For each of `pairs` another pair,
// whose second side is drawn from the `nearest` ones to the first side of it, 1 .. 50, among
// those of `candidates`. A text that some pair has with this first side is none. −1 where nothing
// is left.
std::vector<int64_t> hard_pairs(const PairText& text, const SentenceModel& model,
                                std::span<const int64_t> pairs, std::span<const int64_t> candidates,
                                int64_t nearest, Random& random, int threads);

// A step of so many pairs at most, those with the longest texts.
BatchLimits longest_batch(const PairText& text, int64_t batch);

TaskDescription describe_pairs(const SentenceSettings& settings);

// What training adds to the memory in use when the text has been read and the model is there.
// `words`: of the model.
MemoryPlan pair_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                       const SentenceSettings& settings, bool keep_best);

class PairTask : public BatchTask {
 public:
  // Trains `model`, a tied bag of which the text has its ids. All must outlive the task.
  PairTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model);

  void begin_epoch(int64_t epoch) override;

  // The hard pairs of the epoch, which the model of its beginning has found.
  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

  // How held-out pairs rank among the second sides of all of them.
  std::optional<Evaluation> evaluate() override;

 private:
  Sums learn(std::span<const int64_t> pairs, int64_t number, float rate, Random& random) override;

  const PairText& text_;
  PairStep step_;
  int64_t hard_epoch_ = -1;       // that hard_of_ belongs to
  std::vector<int64_t> hard_of_;  // of each pair; −1: none
  std::vector<int64_t> hard_;     // of a step
};

TaskDescription describe_labels();

// As pair_memory().
MemoryPlan label_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                        const SentenceSettings& settings, bool keep_best);

class LabelTask : public BatchTask {
 public:
  // Trains `model`, a tied bag of which the text has its ids, with the labels of the text. All must
  // outlive the task. Of the settings what is of pairs does not matter.
  LabelTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model);

  std::vector<Parameter> parameters() override;

  // How many of the held-out texts' most likely labels are right.
  std::optional<Evaluation> evaluate() override;

 private:
  Sums learn(std::span<const int64_t> lines, int64_t number, float rate, Random& random) override;

  const PairText& text_;
  Matrix layer_moments_;
  LabelStep step_;
};

}  // namespace acevec
