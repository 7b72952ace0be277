// Training on pairs of texts, and on texts with labels, as tasks: batches of lines from anywhere.
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
#include "train/task.h"

namespace acevec {

// Encodes side 0 or 1 of each of `pairs` to a row, as SentenceEncoder does.
Matrix side_vectors(const PairText& text, const SentenceModel& model,
                    std::span<const int64_t> pairs, int side, int threads);

// Ranks the second sides of `pairs`, where equal texts count once, for each of their first sides.
RankingScores score_pairs(const PairText& text, const SentenceModel& model,
                          std::span<const int64_t> pairs, int threads);

// Hard negatives from outside the batch (ANCE, Xiong et al. 2021). Returns for each of `pairs` a
// pair of `candidates` whose second side is drawn from the `nearest` ones (1 .. 50) to its first
// side, or −1 if there is none. True second sides of the same first side are left out.
std::vector<int64_t> hard_pairs(const PairText& text, const SentenceModel& model,
                                std::span<const int64_t> pairs, std::span<const int64_t> candidates,
                                int64_t nearest, Random& random, int threads);

// The limits of a step: those of the `batch` pairs with the longest texts.
BatchLimits longest_batch(const PairText& text, int64_t batch);

TaskDescription describe_pairs(const SentenceSettings& settings);

class PairTask : public BatchTask {
 public:
  // Trains `model`, a tied bag; the text must have its ids. All must outlive the task.
  PairTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model);

  void begin_epoch(int64_t epoch) override;

  // Save and restore the epoch's hard pairs, which the model found at its beginning.
  void save(CheckpointWriter& file) const override {
    file.put("hard epoch", hard_epoch_);
    file.put("hard pairs", hard_of_);
  }
  void load(CheckpointReader& file) override;

  // Ranks held-out pairs among the second sides of all of them.
  std::optional<Evaluation> evaluate() override;
  int64_t later_bytes() const override;

 private:
  PairTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model,
           const PairLimits& most);

  Sums learn_items(std::span<const int64_t> pairs, int64_t number, float rate,
                   Random& random) override;

  const PairText& text_;
  PairStep step_;
  int64_t hard_epoch_ = -1;       // the epoch of hard_of_
  std::vector<int64_t> hard_of_;  // hard pair of each pair; −1: none
  std::vector<int64_t> hard_;     // hard pairs of a step
};

TaskDescription describe_labels();

class LabelTask : public BatchTask {
 public:
  // Trains `model`, a tied bag with the labels of the text; the text must have its ids. All must
  // outlive the task. Settings of pairs are ignored.
  LabelTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model);

  std::vector<Parameter> parameters() override;

  // The accuracy on held-out texts: the share whose most likely label is right.
  std::optional<Evaluation> evaluate() override;
  // Evaluation has the vectors of the held-out texts.
  int64_t later_bytes() const override {
    return std::ssize(heldout()) * padded(model_.columns()) * kFloatSize;
  }

 private:
  Sums learn_items(std::span<const int64_t> lines, int64_t number, float rate,
                   Random& /*random*/) override {
    return step_.learn(lines, number, rate);
  }

  const PairText& text_;
  Matrix layer_moments_;
  LabelStep step_;
};

}  // namespace acevec
