// The adversarial samplers of skip-gram's blocks (ace-2018, sections 2 and 4.1). Adversary finds
// which of a block's shared negatives are hard for which word. FullAdversary has a softmax over the
// whole vocabulary (full_adversary.cc). Their parts are in src/ace.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "ace/generator.h"
#include "ace/observed.h"
#include "base/checkpoint_file.h"
#include "base/random.h"
#include "math/alias.h"
#include "tasks/word/block.h"
#include "tasks/word/model.h"
#include "tasks/word/skip_gram.h"
#include "text/corpus.h"

namespace acevec {

// The schedule of the mixture λ p + (1 − λ) g. Some blocks get all of g's weight: a mixture may be
// sampled one component at a time, and fewer blocks with the adversary cost less.
struct Mixture {
  // keeps_gradient: whether the mixture keeps the total gradient of the noise (mix_candidates()).
  Mixture(double lambda, bool keeps_gradient);

  int64_t period;      // the adversary plays in one of this many blocks
  double adversarial;  // the weight of g in these, period · (1 − λ); the noise has the rest
};

// The state that the threads of a run share.
struct AdversaryState {
  // Fills the filter with every pair of the corpus within the window. `settings` must have an
  // adversary; `noise`: a probability for every word; `features`: a row for each word, the
  // generator's input (U, the context vectors), which must outlive the state.
  AdversaryState(const SkipGramSettings& settings, const Corpus& corpus,
                 const std::vector<double>& noise, const Matrix& features);

  AdversarySettings settings;
  std::optional<ObservedPairs> observed;  // not saved: filling it again gives the same bits
  std::optional<GeneratorParameters> generator;
  // Each word's share of the adversary's weight, count/(count + rare): a pair of a rare word may be
  // true though the text does not contain it.
  std::vector<float> trust;
  const Matrix& features;
  Matrix hidden;  // h of every word, as of its last turn; for kCandidates only
};

// g over the block's shared negatives.
class Adversary : public BlockAdversary {
 public:
  // `shape`: of the blocks. `share`: the part of the words' hidden rows that this object
  // recomputes.
  Adversary(AdversaryState& state, const BlockShape& shape, const ThreadShare& share);

  // Prefetches the memory that play() will read.
  void prepare(const int32_t* words, int64_t tokens) override;

  // Computes g for a block. The generator learns in one of AdversarySettings::every blocks; in the
  // others it uses each word's last hidden row.
  void play(const ScoredBlock& block, Random& random, const Rewards& rewards) override;

  // Multiplies weights[i · count + k], the weight of candidate k for word i, by
  // (1 − a) + a · count · g_ik, with a = Mixture::adversarial times the word's trust, and preserves
  // the row's totals (mix_candidates()). Changes nothing in blocks without the adversary, and in
  // rows where every candidate is a false negative.
  void reweight(float* weights, int64_t rows, int64_t count) const override;

  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

 private:
  void find_means(const ScoredBlock& block);
  const float* hidden(const ScoredBlock& block, bool turn);
  void choose(const ScoredBlock& block, bool turn);
  void train_generator(const ScoredBlock& block, const Rewards& rewards, Random& random);

  AdversaryState& state_;
  Mixture mixture_;
  std::optional<Generator> generator_;
  std::optional<HiddenTable> hidden_table_;
  AlignedFloats features_, hidden_;
  int64_t blocks_ = 0, played_ = 0;
  // The trust of each row's word; empty in blocks without the adversary.
  std::vector<float> trust_;
  std::vector<float> means_;  // the mean score of each candidate, minus the mean of these
  std::vector<uint8_t> observed_;
  std::vector<float> logits_, probabilities_;        // rows × candidates
  std::vector<float> losses_, unmasked_, gradient_;  // same shape, for the generator's turn
};

// A pool of samples from g(·|x) for each word. Training on the same few samples many times would
// overfit them, so each has a limited number of uses.
//
// Threads may replace and draw concurrently: each entry is atomic, so that a draw returns an
// outcome of the old pool or of the new one.
class SamplePools {
 public:
  // Makes an empty pool of `samples` outcomes for each condition. Each outcome put in is drawn
  // `uses` times on average. Both are at least one. Throws std::bad_alloc.
  SamplePools(int64_t conditions, int64_t samples, int64_t uses);

  // Sets the pool of x to `count` outcomes, at most `samples`. Fewer are repeated, from a random
  // one on, so that all are equally likely to be drawn; 0 empties the pool.
  void replace(int64_t x, const int32_t* outcomes, int64_t count, Random& random);

  // Returns one of the pool's outcomes, or −1 if it is empty or used up.
  int32_t draw(int64_t x, Random& random);

  // Prefetches the pool of x.
  void prefetch(int64_t x) const;

  // Must not be called while other threads draw or replace.
  void save(CheckpointWriter& file) const;
  void load(int64_t outcomes, CheckpointReader& file);  // requires ids below `outcomes`

 private:
  int64_t samples_, uses_;
  std::vector<std::atomic<int32_t>> left_;     // draws left for each condition
  std::vector<std::atomic<int32_t>> entries_;  // conditions × samples
};

// The state that the threads of a run share in addition to AdversaryState.
struct FullState {
  static constexpr int64_t kPoolSize = 32;
  // Measured: 100 uses of each sample lowered WS353 by three points, see docs/experiments/ace.md.
  static constexpr int64_t kUses = 16;

  // `noise`: the distribution that `table` draws from.
  FullState(const std::vector<double>& noise, const AliasTable& table);

  const std::vector<double>& noise;
  const AliasTable& noise_table;
  std::vector<float> log_noise;
  SamplePools pools;
};

// g over the whole vocabulary is too expensive for every token, but g(·|x) depends on the word
// alone. So it is computed for a few words at a time, and all their tokens use samples from it
// until it is next computed for them. AdversaryState::hidden is not used: h is recomputed in each
// turn.
class FullAdversary : public BlockAdversary {
 public:
  // The number of words in a turn, 1 .. 64. A thread needs three floats for each of these words and
  // each word of the vocabulary, at most about 22 MiB.
  static int64_t words_in_turn(int64_t vocabulary);

  // This thread's turns fill the pools of words with id % threads = thread. `random` is for the
  // adversary only, so that λ = 1 leaves everything else unchanged.
  FullAdversary(AdversaryState& state, FullState& full, const SkipGramModel& model,
                const ThreadShare& share, const Random& random);

  // Takes the generator's turn when it is due, and draws a negative for each token whose word has a
  // pool. In blocks without the adversary it draws none.
  void prepare(const int32_t* words, int64_t tokens) override;

  // The tokens that got a negative, which is never an observed pair. A token's own negative has
  // weight 1 − λ': see Mixture and AdversaryState::trust.
  const OwnDraws* own_draws() const override { return &own_; }

  // Scales the noise of tokens that got a negative by λ'.
  void reweight(float* weights, int64_t rows, int64_t count) const override;

  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

 private:
  void draw(const int32_t* words, int64_t tokens);
  void update_pools();
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

  OwnDraws own_;                            // draws for the current block
  std::vector<int32_t> tokens_since_turn_;  // tokens of each word since its last turn

  // State of the current turn.
  std::optional<FullSoftmax> softmax_;  // none for the critic
  std::vector<int32_t> words_;
  AlignedFloats features_, vectors_;          // the words' rows of U and of V
  AlignedFloats outcomes_;                    // rows of U, kOutcomes at a time
  std::vector<float> scores_;                 // s(x, y), then rewards: words × vocabulary
  std::vector<float> critic_;                 // g of the critic: same shape
  std::vector<int32_t> drawn_, drawn_noise_;  // words × kPoolSize
};

}  // namespace acevec
