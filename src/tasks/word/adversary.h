// The adversarial sampler of skip-gram's blocks: it finds which of a block's shared negatives are
// hard for which word (ace-2018, sections 2 and 4.1). Its parts are in src/ace.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ace/generator.h"
#include "ace/observed.h"
#include "ace/policy.h"
#include "base/random.h"
#include "tasks/word/block.h"
#include "tasks/word/skip_gram.h"
#include "text/corpus.h"

namespace acevec {

// How the mixture λ p + (1 − λ) g is played: with all of g's weight in some of the blocks, since a
// mixture's draws may come from one part at a time, and fewer blocks cost less.
struct Mixture {
  // keeps_force: whether the push of the noise is kept (mix_candidates()).
  Mixture(double lambda, bool keeps_force);

  int64_t period;      // blocks to one that the adversary plays in
  double adversarial;  // weight of g there, period · (1 − λ); the rest is the noise's
};

// What the threads of a run share.
struct AdversaryState {
  // Fills the filter with every pair of the corpus within the window. `settings` must have an
  // adversary; `noise`: a probability for every word; `features`: a row for each word, the
  // generator's input (U, the context vectors), which must outlive the state.
  AdversaryState(const SkipGramSettings& settings, const Corpus& corpus,
                 const std::vector<double>& noise, const Matrix& features);

  AdversarySettings settings;
  std::optional<ObservedPairs> observed;  // not saved: filling it again gives the same bits
  std::optional<GeneratorParameters> generator;
  // Each word's share of the adversary's weight. count/(count + rare): that a pair was never seen
  // says little where few could have been.
  std::vector<float> trust;
  const Matrix& features;
  Matrix hidden;  // h of every word, as of its last turn; for kCandidates only
};

// g over the block's shared negatives.
class Adversary : public BlockAdversary {
 public:
  // For blocks of that shape. `share` tells which part of the words' hidden rows this one keeps
  // fresh.
  Adversary(AdversaryState& state, const BlockShape& shape, const ThreadShare& share);

  // Asks the caches for what play() will read.
  void prepare(const int32_t* words, int64_t tokens) override;

  // g for a block. In one of so many blocks that it plays in the generator learns too; in between
  // it uses what its hidden layers last made of each word.
  void play(const ScoredBlock& block, Random& random, const Rewards& rewards) override;

  // Before: weights[i · count + k] is what candidate k counts for word i when all count alike;
  // after: when each counts (1 − a) + a · count · g_ik times that, with a = Mixture::adversarial
  // times the word's trust, and the row's push is kept (mix_candidates()). In blocks without the
  // adversary, and where every candidate is a false negative, nothing changes.
  void reweigh(float* weights, int64_t rows, int64_t count) const override;

  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

 private:
  void find_means(const ScoredBlock& block);
  const float* hidden(const ScoredBlock& block, bool turn);
  void choose(const ScoredBlock& block, bool turn);
  void take_turn(const ScoredBlock& block, const Rewards& rewards, Random& random);

  AdversaryState& state_;
  Mixture mixture_;
  std::optional<Generator> generator_;
  std::optional<HiddenTable> hidden_table_;
  AlignedFloats features_, hidden_;
  int64_t blocks_ = 0, played_ = 0;
  // Of the block at hand, where it plays: a number for each row, none if it does not.
  std::vector<float> trust_;
  std::vector<float> means_;  // of each candidate's scores with all rows, less their mean
  std::vector<uint8_t> observed_;
  std::vector<float> logits_, probabilities_;        // rows × candidates
  std::vector<float> losses_, unmasked_, gradient_;  // the same, for the generator's turn
};

}  // namespace acevec
