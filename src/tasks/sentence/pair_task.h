// Training on pairs of texts, and on texts with labels, as tasks of the engine: batches of lines
// from anywhere in a text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/evaluation.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_step.h"
#include "tasks/sentence/task.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

// A row for side 0 or 1 of each of `pairs`, as SentenceEncoder makes it.
Matrix side_vectors(const PairText& text, const SentenceModel& model,
                    std::span<const int64_t> pairs, int side, int threads);

// Ranks the second sides of `pairs` for their first sides, among the second sides of all of them;
// equal texts count once.
RankingScores score_pairs(const PairText& text, const SentenceModel& model,
                          std::span<const int64_t> pairs, int threads);

// Hard negatives from beyond a batch (ANCE, Xiong et al. 2021). For each of `pairs` returns a pair
// of `candidates` whose second side is drawn from the `nearest` ones (1 .. 50) to its first side;
// −1 if there is none. Texts that some pair has with the same first side are left out.
std::vector<int64_t> hard_pairs(const PairText& text, const SentenceModel& model,
                                std::span<const int64_t> pairs, std::span<const int64_t> candidates,
                                int64_t nearest, Random& random, int threads);

// The limits of a step: `batch` pairs, those with the longest texts.
BatchLimits longest_batch(const PairText& text, int64_t batch);

TaskDescription describe_pairs(const SentenceSettings& settings);

// The memory that training adds to that in use when the text has been read and the model made.
// `words`: of the model.
MemoryPlan pair_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                       const SentenceSettings& settings, bool keep_best);

class PairTask : public BatchTask {
 public:
  // Trains `model`, a tied bag whose ids the text has. All must outlive the task.
  PairTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model);

  void begin_epoch(int64_t epoch) override;

  // The hard pairs of the epoch, found by the model at its beginning.
  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

  // The ranks of held-out pairs among the second sides of all of them.
  std::optional<Evaluation> evaluate() override;

 private:
  PairTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model,
           const PairLimits& most);

  Sums learn_items(std::span<const int64_t> pairs, int64_t number, float rate,
                   Random& random) override;

  const PairText& text_;
  PairStep step_;
  int64_t hard_epoch_ = -1;       // the epoch of hard_of_
  std::vector<int64_t> hard_of_;  // of each pair; −1: none
  std::vector<int64_t> hard_;     // of a step
};

TaskDescription describe_labels();

// As pair_memory().
MemoryPlan label_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                        const SentenceSettings& settings, bool keep_best);

class LabelTask : public BatchTask {
 public:
  // Trains `model`, a tied bag whose ids the text has, with the labels of the text. All must
  // outlive the task. Settings of pairs are ignored.
  LabelTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model);

  std::vector<Parameter> parameters() override;

  // The share of held-out texts whose most likely label is right.
  std::optional<Evaluation> evaluate() override;

 private:
  Sums learn_items(std::span<const int64_t> lines, int64_t number, float rate,
                   Random& random) override;

  const PairText& text_;
  Matrix layer_moments_;
  LabelStep step_;
};

}  // namespace acevec
