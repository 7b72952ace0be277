// The adversarial sampler at work on skip-gram's blocks: which of a block's shared negatives are
// hard for which word (ace-2018, sections 2 and 4.1). The parts are src/ace's; here they meet
// words.
#pragma once

#include <cstdint>
#include <functional>
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

  enum class Softmax {
    kCandidates,  // over the block's shared negatives: Adversary
    kFull,        // over the whole vocabulary: FullAdversary
  };

  Sampler sampler = Sampler::kLearned;
  Softmax softmax = Softmax::kCandidates;
  double lambda = 0.7;  // λ, share of the noise in the mixture λ p + (1 − λ) g (Eq. 4)
  double rare = 20;     // a word seen so often has half of the adversary's weight, less often less
  double beta = 0.8;    // β, of the critic's scores in the logits; 0: a network on its own
  std::vector<int64_t> hidden{32, 32};
  PolicySettings policy;
  OptimizerSettings optimizer;
  int64_t every = 16;  // a turn is taken in one of so many blocks that the adversary plays in
  int64_t filter_bytes = 32 << 20;  // for the observed pairs; 0: false negatives are not handled
};

// From the blocks in which the generator took (or would take) its turn: sums over rows, or means.
// With the full softmax the candidates are what g drew, and a row is a word and not a token.
struct AdversaryReport {
  double noise_loss = 0;        // −log σ(−s) of negatives as the noise draws them
  double adversarial_loss = 0;  // and as g draws them, false negatives masked
  double entropy = 0;           // H(g), nats, unmasked
  double observed = 0;          // share of candidates that were observed pairs
  double rows = 0;              // how many rows the sums above are over

  AdversaryReport& operator+=(const AdversaryReport& other);
  AdversaryReport mean() const;
};

// How the mixture λ p + (1 − λ) g is played: with all of g's weight in some of the blocks, since a
// mixture's draws may come from one part at a time, and fewer blocks cost less.
struct Mixture {
  explicit Mixture(double lambda);

  int64_t period;      // blocks to one that the adversary plays in
  double adversarial;  // weight of g there, period · (1 − λ); the rest is the noise's
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
  // Each word's share of the adversary's weight, count/(count + rare): that a pair was never seen
  // says little where few could have been.
  std::vector<float> trust;
  const Matrix& features;
  Matrix hidden;  // h of every word, as of its last turn; for kCandidates only

  // What training changes. The filter is not saved: filling it again gives the same bits.
  void save(CheckpointWriter& file) const;
  void load(CheckpointReader& file);
};

// One object per thread.
class Adversary {
 public:
  // For blocks of at most `rows` words and `candidates` shared negatives. `thread`, one of
  // `threads`: which part of the words' hidden rows this one keeps fresh.
  Adversary(AdversaryState& state, int64_t rows, int64_t candidates, int thread, int threads);

  // Takes the noise's gradient to that of the mixture, in place. Before: gradients[i · count + k]
  // holds what candidate k does to word i when all candidates count alike; after: when each counts
  // (1 − a) + a · count · g_ik, with a = Mixture::adversarial times the word's trust. In blocks
  // without the adversary, and where every candidate is a false negative, nothing changes.
  void sharpen(float* gradients, int64_t rows, int64_t count) const;

  // Writes what choosing a candidate is worth, rows × count.
  using Rewards = std::function<void(float* losses)>;

  // g for a block, to be called first. scores: s(x_i, y_k), rows × count; features: the rows of the
  // words, as the thread has copied them. In one of so many blocks that it plays in the generator
  // learns too; in between it uses what its hidden layers last made of each word. `rewards` is
  // called when it learns; without, the reward is −log σ(−s).
  void play(const int32_t* words, const float* features, int64_t rows, const int32_t* candidates,
            int64_t count, const float* scores, Random& random, const Rewards& rewards = {});

  // What has been seen since the last call.
  AdversaryReport take_report() { return std::exchange(report_, {}); }

  // Where this thread's turns stand, between chunks.
  void save(CheckpointWriter& file) const;
  void load(CheckpointReader& file);

 private:
  const float* hidden(const int32_t* words, const float* features, int64_t rows, bool turn);
  void set_logits(const float* h, int64_t rows, const int32_t* candidates, int64_t count,
                  const float* scores);
  void take_turn(const float* features, int64_t rows, int64_t count, Random& random);

  AdversaryState& state_;
  Mixture mixture_;
  std::optional<Generator> generator_;
  std::optional<HiddenTable> hidden_table_;
  AlignedFloats hidden_;
  int64_t blocks_ = 0, played_ = 0;
  bool plays_ = false;        // in the block at hand
  std::vector<float> trust_;  // of the block's words
  std::vector<uint8_t> observed_;
  std::vector<float> logits_, probabilities_;        // rows × candidates
  std::vector<float> losses_, unmasked_, gradient_;  // the same, for the generator's turn
  AdversaryReport report_;
};

}  // namespace acevec
