// Skip-gram as a task of the engine: chunks of ids -> blocks -> updates.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "math/alias.h"
#include "tasks/word/adversary.h"
#include "tasks/word/block.h"
#include "tasks/word/model.h"
#include "tasks/word/sequence.h"
#include "tasks/word/skip_gram.h"
#include "text/corpus.h"
#include "train/task.h"

namespace acevec {

// Columns of the training log; kNoiseOfAdversary is accumulated but not logged.
enum SkipGramMean {
  kPositiveLoss,      // −log σ(s) of positive pairs
  kNoiseLoss,         // −log σ(−s) of negatives from the noise distribution
  kAdversarialLoss,   // the same of the adversary's negatives
  kEntropy,           // entropy of the generator, nats
  kFalseNegatives,    // share of the adversary's candidates that were observed pairs
  kNoiseOfAdversary,  // kNoiseLoss in the blocks that kAdversarialLoss covers
  kSkipGramMeans,
};

TaskDescription describe_skip_gram();

class SkipGramTask : public Task {
 public:
  // All arguments must outlive the task. `noise`: a probability for every word; `write`: writes a
  // snapshot.
  SkipGramTask(const Corpus& corpus, const std::vector<double>& noise,
               const SkipGramSettings& settings, SkipGramModel& model,
               std::function<void(const std::string& path)> write = {});

  int64_t pieces() const override { return (corpus_.chunks() + chunks_ - 1) / chunks_; }
  int64_t units() const override { return corpus_.kept_tokens(); }
  Parallel parallel() const override { return Parallel::kPieces; }
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;
  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

  // The higher of the model's loss on the first chunk and the loss of zero scores, since a run that
  // starts from good vectors may get worse for a while.
  std::optional<double> start_loss() override;

  // The loss on the corpus's held-out lines, computed as in training: subsampled, with contexts and
  // negatives drawn, the same each time. None if no pair is held out.
  std::optional<Evaluation> evaluate() override;

  int64_t later_bytes() const override;
  void write_snapshot(const std::string& path) const override { write_(path); }

  // The 64-bit words of the filter of observed pairs, to which other processes' pairs are added;
  // empty without a filter.
  std::span<uint64_t> filter_words();

 private:
  class SkipGramWorker;

  void read(int64_t piece, std::vector<int32_t>& ids) const;
  Loss score(const std::vector<int32_t>& ids, Random random) const;

  const Corpus& corpus_;
  const SkipGramSettings& settings_;
  SkipGramModel& model_;
  int64_t chunks_;  // chunks of the corpus per piece
  std::function<void(const std::string&)> write_;
  AliasTable noise_;
  std::unique_ptr<BlockLoss> loss_;
  SequenceMaker sequences_;
  std::optional<AdversaryState> adversary_state_;
  std::optional<FullState> full_state_;  // for the full softmax
};

}  // namespace acevec
