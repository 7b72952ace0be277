// Epochs over a corpus on all threads: ids -> blocks -> updates.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/checkpoint_file.h"
#include "math/alias.h"
#include "text/corpus.h"
#include "word/block.h"
#include "word/model.h"
#include "word/sequence.h"
#include "word/settings.h"

namespace acevec {

// What training sums up as it goes.
struct TrainingSums {
  Loss loss;                  // on positives and noise, with and without adversary
  AdversaryReport adversary;  // rows = 0 without adversary
  BlockTime time;             // the same

  TrainingSums& operator+=(const TrainingSums& other) {
    loss += other.loss;
    adversary += other.adversary;
    time += other.time;
    return *this;
  }
};

// Where a run stands.
struct TrainingState {
  int64_t tokens = 0;  // tokens done, of `total`; every epoch counts
  int64_t total = 0;
  int64_t epoch = 0;         // from 1
  double alpha = 0;          // learning rate now
  TrainingSums recent = {};  // of the chunk that is just done
};

// What came of a run, from its last epoch.
struct TrainingResult {
  Loss loss;
  AdversaryReport adversary;       // sums
  double false_positive_rate = 0;  // of the filter of observed pairs
};

// Trains `model` on `corpus`. The learning rate falls linearly from alpha to min_alpha.
//
// With one thread and one seed the result is the same to the byte, whatever is saved, held, or gone
// on with from a checkpoint.
class SkipGramTrainer {
 public:
  // What shall happen after a chunk.
  struct Wish {
    bool save = false;   // this thread calls `save` while the others go on training
    bool pause = false;  // all threads come to the end of their chunks, and run() returns
  };
  using Report = std::function<Wish(const TrainingState&)>;

  // `noise`: a probability for every word. All four must outlive the trainer.
  SkipGramTrainer(const Corpus& corpus, const std::vector<double>& noise,
                  const SkipGramSettings& settings, SkipGramModel& model);
  ~SkipGramTrainer();
  SkipGramTrainer(const SkipGramTrainer&) = delete;
  SkipGramTrainer& operator=(const SkipGramTrainer&) = delete;

  // Trains on, to the end or until `report` wants a pause. `report` is called after every chunk, by
  // one thread at a time; a thread that reads the model in `save` does so through math/hogwild.h.
  // Throws Diverged, Error when the corpus cannot be read back, and what the two throw; then this
  // object is of no more use.
  void run(const Report& report, const std::function<void()>& save = {});

  // Between calls of run():
  bool done() const { return epoch_ >= settings_.epochs; }
  TrainingState state() const;  // without `recent`
  TrainingResult result() const;

  // The loss of the model on the first piece of the text, as it is: nothing is learned.
  Loss start_loss() const;

  // The loss on the lines that the corpus holds out, as training would have it on them: subsampled,
  // with contexts and negatives drawn, the same ones each time.
  Loss heldout_loss() const;

  // Everything but the model. load() is for a trainer of the same corpus and settings that has not
  // run; the number of threads may differ. Saved last in a file. Throws Error.
  void save(CheckpointWriter& file) const;
  void load(CheckpointReader& file);

 private:
  struct Worker;

  std::unique_ptr<Worker> make_worker(int thread);
  void work(int thread, const Report& report, const std::function<void()>& save);
  Loss train_chunk(const Sequence& sequence, int64_t tokens, BlockTrainer& trainer, Random& random);
  Wish finish_chunk(const TrainingSums& sums, const Report& report);
  Loss score(const std::vector<int32_t>& ids, Random random) const;
  double false_positive_rate(const ObservedPairs& observed) const;
  double alpha() const;
  int64_t total() const { return settings_.epochs * corpus_.kept_tokens(); }

  const Corpus& corpus_;
  const SkipGramSettings& settings_;
  SkipGramModel& model_;
  AliasTable noise_;
  Objective objective_;
  SequenceMaker sequences_;
  BlockTrainer::Shape shape_;
  std::optional<AdversaryState> adversary_state_;
  std::optional<FullState> full_state_;  // with the full softmax

  std::vector<std::unique_ptr<Worker>> workers_;  // what each thread has, for an epoch
  int64_t epoch_ = 0;
  std::atomic<int64_t> next_chunk_{0};
  std::atomic<int64_t> done_{0};  // tokens, over all epochs
  std::atomic<bool> pause_{false};
  std::mutex mutex_;
  TrainingSums sums_;  // of this epoch
};

}  // namespace acevec
