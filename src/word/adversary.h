// The adversarial sampler at work on skip-gram's blocks: which of a block's shared negatives are
// hard for which word (ace-2018, sections 2 and 4.1). The parts are src/ace's; here they meet
// words.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ace/generator.h"
#include "ace/hidden_table.h"
#include "ace/observed.h"
#include "ace/policy.h"
#include "base/random.h"
#include "text/corpus.h"

namespace acevec {

struct AdversarySettings {
  enum class Sampler {
    kLearned,  // the generator network
    kCritic,   // no network: g = softmax(β s), what an ideal generator of limited entropy plays
  };

  Sampler sampler = Sampler::kLearned;
  double lambda = 0.8;  // λ, share of the noise in the mixture λ p + (1 − λ) g (Eq. 4)
  double beta = 0.5;    // β, of the critic's scores in the logits; 0: a network on its own
  std::vector<int64_t> hidden{32, 32};
  PolicySettings policy;
  OptimizerSettings optimizer;
  int64_t every = 8;  // the generator takes a turn in one of so many blocks that it plays in
  int64_t filter_bytes = 32 << 20;  // for the observed pairs; 0: false negatives are not handled
};

// From the blocks in which the generator took (or would take) its turn: sums over rows, or means.
struct AdversaryReport {
  double noise_loss = 0;        // −log σ(−s) of negatives as the noise draws them
  double adversarial_loss = 0;  // and as g draws them, false negatives masked
  double entropy = 0;           // H(g), nats, unmasked
  double observed = 0;          // share of candidates that were observed pairs
  double rows = 0;              // how many rows the sums above are over

  AdversaryReport& operator+=(const AdversaryReport& other);
  AdversaryReport mean() const;
};

// What the threads of a run share.
struct AdversaryState {
  // Fills the filter with every pair of the corpus within `window`, on `threads` threads.
  // `features`: a row for each word, the generator's input (U, the context vectors).
  AdversaryState(const AdversarySettings& settings, const Corpus& corpus, int64_t window,
                 const Matrix& features, int threads, uint64_t seed);

  AdversarySettings settings;
  std::optional<ObservedPairs> observed;
  std::optional<GeneratorParameters> generator;
  const Matrix& features;
  Matrix hidden;  // h of every word, as of its last turn
};

// One object per thread.
class Adversary {
 public:
  // For blocks of at most `rows` words and `candidates` shared negatives. `thread`, one of
  // `threads`: which part of the words' hidden rows this one keeps fresh.
  Adversary(AdversaryState& state, int64_t rows, int64_t candidates, int thread, int threads);

  // Takes the noise's gradient to that of the mixture, in place. Before: gradients[i · count + k]
  // holds what candidate k does to word i when all candidates count alike; after: when each counts
  // λ' + (1 − λ') · count · g_ik in a block that the adversary plays in, as before in others. Where
  // every candidate is a false negative the noise stays.
  void sharpen(float* gradients, int64_t rows, int64_t count) const;

  // How many blocks there are to one that the adversary plays in, with the weight that it has in
  // the others: 1 − λ' = period · (1 − λ) there. A mixture's draws may come from one part at a
  // time, so this is the same mixture for less. 1 − λ' is at most 2/3, or 1 − λ where that is more.
  static int64_t period(double lambda);

  // g for a block, to be called first. scores: s(x_i, y_k), rows × count; features: the rows of the
  // words, as the thread has copied them. In one of so many blocks that it plays in the generator
  // learns too; in between it uses what its hidden layers last made of each word.
  void play(const int32_t* words, const float* features, int64_t rows, const int32_t* candidates,
            int64_t count, const float* scores, Random& random);

  // What has been seen since the last call.
  AdversaryReport take_report() { return std::exchange(report_, {}); }

 private:
  const float* hidden(const int32_t* words, const float* features, int64_t rows, bool turn);
  void set_logits(const float* h, int64_t rows, const int32_t* candidates, int64_t count,
                  const float* scores);
  void take_turn(const float* features, int64_t rows, int64_t count, const float* scores,
                 Random& random);

  AdversaryState& state_;
  int64_t period_;
  std::optional<Generator> generator_;
  std::optional<HiddenTable> hidden_table_;
  AlignedFloats hidden_;
  int64_t blocks_ = 0, played_ = 0;
  bool plays_ = false;  // in the block at hand
  std::vector<uint8_t> observed_;
  std::vector<float> logits_, probabilities_;        // rows × candidates
  std::vector<float> losses_, unmasked_, gradient_;  // the same, for the generator's turn
  AdversaryReport report_;
};

}  // namespace acevec
