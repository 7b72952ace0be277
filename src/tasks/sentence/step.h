// One step of training sentence encoders: the sentences of a batch of passages pick their
// neighbours among each other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "kernels/products.h"
#include "tasks/sentence/adversary.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/contrast.h"
#include "tasks/sentence/corpus.h"

namespace acevec {

// Sentences first .. last − 1 of one document.
struct Passage {
  int64_t first;
  int64_t last;
};

// The whole text in order, in passages of at most `longest` sentences.
std::vector<Passage> passages_of(const SentenceCorpus& corpus, int64_t longest);

int64_t passages_in_batch(const SentenceSettings& settings);

// The limits of a step: that of the passages with the most tokens.
BatchLimits step_limits(const SentenceCorpus& corpus, const std::vector<Passage>& passages,
                        const SentenceSettings& settings);

// The same when each sentence counts twice: as a candidate, and as one that picks.
BatchLimits of_both(const BatchLimits& most);

// A team of settings.threads shares its work, in blocks whose size does not depend on their number.
class SentenceStep {
 public:
  // `most`: sentences of a batch and their words. `adversary` is null without one. All must outlive
  // the object.
  SentenceStep(const SentenceCorpus& corpus, const SentenceSettings& settings,
               const SentenceShape& shape, std::vector<TrainedNetwork> networks,
               const BatchLimits& most, SentenceAdversaryState* adversary);

  // Takes step `number` of the run, from 1.
  ContrastSum learn(std::span<const Passage> batch, int64_t number, float rate, Random& random);

  // The losses of a batch, without learning.
  ContrastSum look(std::span<const Passage> batch, Random& random);

  // The adversary's report since the last call; none without an adversary.
  std::optional<PolicyReport> take_report() {
    return adversary_ ? std::optional(adversary_->take_report()) : std::nullopt;
  }

 private:
  void gather(std::span<const Passage> batch);
  ContrastSum compare(int64_t number, Random& random);
  ContrastSum find_losses(ScoreTable table, int64_t number, Random& random);
  ContrastSum pick(const ScoreTable& part, int64_t first, uint64_t seed);
  void score(const ScoreTable& part, int64_t first);
  void pass_down(Weights slopes, RowBlock others, int64_t begin, int64_t end);
  void mark(int64_t row, Mark* marks) const;
  bool are_neighbours(size_t a, size_t b) const;

  const SentenceCorpus& corpus_;
  const SentenceSettings& settings_;
  size_t g_;                              // the network that candidates are read by
  std::unique_ptr<SentenceBatch> batch_;  // sentences that ask, then all as candidates
  std::optional<SentenceAdversary> adversary_;
  std::vector<Passage> passages_;
  std::vector<int64_t> sentences_;  // in the order of the text
  std::vector<size_t> asking_;      // places there of those that have a target
  std::vector<float> scores_;
  std::vector<Mark> marks_;
};

}  // namespace acevec
