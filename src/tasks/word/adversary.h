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

}  // namespace acevec
