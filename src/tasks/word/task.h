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
#include "tasks/word/composed_words.h"
#include "tasks/word/full_adversary.h"
#include "tasks/word/model.h"
#include "tasks/word/sequence.h"
#include "tasks/word/skip_gram.h"
#include "text/corpus.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

// The columns of a log; kNoiseOfAdversary is summed up and not logged.
enum SkipGramMean {
  kPositiveLoss,      // −log σ(s) of positive pairs
  kNoiseLoss,         // −log σ(−s) of negatives of the noise
  kAdversarialLoss,   // the same of the adversary's negatives
  kEntropy,           // of the generator, nats
  kFalseNegatives,    // share of the adversary's candidates that were observed pairs
  kAdversaryTime,     // share of the processor time of blocks
  kNoiseOfAdversary,  // as kNoiseLoss, in the blocks that kAdversarialLoss is of
  kSkipGramMeans,
};

TaskDescription describe_skip_gram();

// The memory that training `words` words adds to that in use. `subword_rows`: those of V beside the
// words'. `keep_best`: a copy of V and U is kept. `heldout`: there are held-out lines, which are in
// memory already.
MemoryPlan word_memory(int64_t words, const SkipGramSettings& settings, int64_t subword_rows = 0,
                       bool keep_best = false, bool heldout = false);

class SkipGramTask : public Task {
 public:
  // Inputs; all must outlive the task. `noise`: a probability for every word.
  struct Parts {
    const Corpus& corpus;
    const std::vector<double>& noise;
    const SkipGramSettings& settings;
    SkipGramModel& model;
    std::function<void(const std::string& path)> write = {};  // a snapshot
  };

  explicit SkipGramTask(const Parts& parts);

  int64_t pieces() const override { return (corpus_.chunks() + chunks_ - 1) / chunks_; }
  int64_t units() const override { return corpus_.kept_tokens(); }
  Parallel parallel() const override { return Parallel::kPieces; }
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;
  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

  // The higher of two losses: that of the model on the first chunk, and that of scores of 0, since
  // a run that starts from good vectors may get worse for a while.
  std::optional<double> start_loss() override;

  // The loss on the lines that the corpus holds out, as training would have it on them: subsampled,
  // with contexts and negatives drawn, the same ones each time. None: no pair is held out.
  std::optional<Evaluation> evaluate() override;

  void write_snapshot(const std::string& path) const override { write_(path); }

  // The words of the filter of observed pairs, to which other processes' pairs are added; empty
  // without a filter.
  std::span<uint64_t> filter_words();

 private:
  class SkipGramWorker;

  void read(int64_t piece, std::vector<int32_t>& ids) const;
  Loss score(const std::vector<int32_t>& ids, Random random) const;

  const Corpus& corpus_;
  const SkipGramSettings& settings_;
  SkipGramModel& model_;
  int64_t chunks_;  // of the corpus in a piece
  std::function<void(const std::string&)> write_;
  AliasTable noise_;
  std::unique_ptr<BlockLoss> loss_;
  SequenceMaker sequences_;
  std::optional<AdversaryState> adversary_state_;
  std::optional<FullState> full_state_;  // with the full softmax
};

}  // namespace acevec
