// The adversarial sampler with a softmax over the whole vocabulary (ace-2018, section 4.1). It is
// too expensive for every token, but g(·|x) depends on the word alone. So it is computed for some
// words at a time, and samples are drawn for all their tokens until it is computed for them again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "ace/generator.h"
#include "base/checkpoint_file.h"
#include "base/random.h"
#include "math/alias.h"
#include "tasks/word/adversary.h"
#include "tasks/word/block.h"
#include "tasks/word/model.h"

namespace acevec {

// For each word a pool of samples from g(·|x). Training on the same few samples many times would
// overfit them, so each has a limited number of uses.
//
// Threads may replace and draw at once: entries are atomic, each on its own, so that a draw gives
// an outcome of the old pool or of the new one.
class SamplePools {
 public:
  // Makes empty pools of `samples` outcomes for each condition. Each outcome that is put in is
  // drawn `uses` times on average; both at least one. Throws std::bad_alloc.
  SamplePools(int64_t conditions, int64_t samples, int64_t uses);

  // The pool of x becomes `count` outcomes, at most `samples`; fewer are repeated, from a random
  // one on, so that each is as likely to be drawn. None: the pool is empty again.
  void replace(int64_t x, const int32_t* outcomes, int64_t count, Random& random);

  // One of the pool's outcomes, −1 if it is empty or used up.
  int32_t draw(int64_t x, Random& random);

  // Prefetches the pool of x.
  void prefetch(int64_t x) const;

  // Must not be called while other threads draw or replace.
  void save(CheckpointWriter& file) const;
  void load(int64_t outcomes, CheckpointReader& file);  // ids below `outcomes`

 private:
  int64_t samples_, uses_;
  std::vector<std::atomic<int32_t>> left_;     // draws, of each condition
  std::vector<std::atomic<int32_t>> entries_;  // conditions × samples
};

// The state that the threads of a run share besides AdversaryState.
struct FullState {
  static constexpr int64_t kPoolSize = 32;
  // Measured: with a hundred uses of each sample WS353 fell by three points, see
  // docs/experiments/ace.md.
  static constexpr int64_t kUses = 16;

  // `noise`: the probabilities that `table` draws with.
  FullState(const std::vector<double>& noise, const AliasTable& table);

  const std::vector<double>& noise;
  const AliasTable& noise_table;
  std::vector<float> log_noise;
  SamplePools pools;
};

// The state's hidden rows are not used: h is computed anew in each turn.
class FullAdversary : public BlockAdversary {
 public:
  // The number of words in a turn, 1 .. 64. A thread needs three floats for each pair of one of
  // them and one of the vocabulary; they take at most about 22 MiB.
  static int64_t words_in_turn(int64_t vocabulary);

  // About the memory that one object takes, in bytes.
  static int64_t bytes(int64_t vocabulary);

  // Words of id % threads = thread get their pools from this thread's turns. `random` is the
  // adversary's own, so that λ = 1 leaves all else as it is.
  FullAdversary(AdversaryState& state, FullState& full, const SkipGramModel& model,
                const ThreadShare& share, const Random& random);

  // Takes the generator's turn when it is due, and draws a negative for each token whose word has a
  // pool. In blocks that the adversary does not play in there are none.
  void prepare(const int32_t* words, int64_t tokens) override;

  // The tokens that got a negative. Observed pairs are never among them; a token's own negative
  // weighs 1 − λ': see Mixture and AdversaryState::trust.
  const OwnDraws* own_draws() const override { return &own_; }

  // Leaves the noise of tokens with a negative of their own the weight λ'.
  void reweigh(float* weights, int64_t rows, int64_t count) const override;

  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

 private:
  void draw(const int32_t* words, int64_t tokens);
  void take_turn();
  void choose_words();
  void score();
  void compute(float beta);
  void fill_pools();
  void learn();

  const float* probabilities(int64_t row) const {
    return softmax_ ? softmax_->probabilities(row) : critic_.data() + row * vocabulary_;
  }

  AdversaryState& state_;
  FullState& full_;
  const SkipGramModel& model_;
  ThreadShare share_;
  Random random_;
  int64_t vocabulary_;
  Mixture mixture_;
  int64_t blocks_ = 0, played_ = 0;

  OwnDraws own_;                  // of the block at hand
  std::vector<int32_t> waiting_;  // for each word, tokens met since its last turn

  // The turn's.
  std::optional<FullSoftmax> softmax_;  // none for the critic
  std::vector<int32_t> words_;
  AlignedFloats features_, vectors_;          // the words' rows of U and of V
  AlignedFloats outcomes_;                    // rows of U, some at a time
  std::vector<float> scores_;                 // s(x, y), then rewards: words × vocabulary
  std::vector<float> critic_;                 // g of the critic: the same
  std::vector<int32_t> drawn_, drawn_noise_;  // words × kPoolSize
};

}  // namespace acevec
