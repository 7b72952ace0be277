// The interface of an adversary of skip-gram's blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/random.h"

namespace acevec {

// From the blocks in which the generator took (or would take) its turn: sums over rows.
// With the full softmax the candidates are what g drew, and a row is a word and not a token.
struct AdversaryReport {
  double noise_loss = 0;        // −log σ(−s) of negatives as the noise draws them
  double adversarial_loss = 0;  // and as g draws them, false negatives masked
  double entropy = 0;           // H(g), nats, unmasked
  double observed = 0;          // share of candidates that were observed pairs
  double rows = 0;              // how many rows the sums above are over
};

// Which of a run's threads something belongs to.
struct ThreadShare {
  int thread = 0;
  int threads = 1;
};

// A block whose shared negatives have been scored.
struct ScoredBlock {
  const int32_t* words;
  int64_t rows;
  const int32_t* candidates;  // the shared negatives
  int64_t count;
  const float* scores;  // s(x_i, y_k): rows × count
};

// Writes what choosing a candidate is worth, rows × count.
using Rewards = std::function<void(float* losses)>;

// Negatives that tokens have for themselves, beside those that the block shares.
struct OwnDraws {
  std::vector<int32_t> rows;   // the tokens, as rows of the block in increasing order
  std::vector<int32_t> ids;    // of their negatives
  std::vector<float> weights;  // where all noise of a token weighs 1 without adversary
};

// One object per thread. For each block prepare(), play() and reweigh() are called in this order.
class BlockAdversary {
 public:
  virtual ~BlockAdversary() = default;

  // Before the block's rows are fetched.
  virtual void prepare(const int32_t* /*words*/, int64_t /*tokens*/) {}

  // When the shared negatives have been scored. `rewards` is called when the generator learns.
  virtual void play(const ScoredBlock& /*block*/, Random& /*random*/, const Rewards& /*rewards*/) {}

  // Takes weights of the shared negatives, or gradients that are proportional to them, from the
  // noise to the adversary's mixture, in place: rows × count.
  virtual void reweigh(float* weights, int64_t rows, int64_t count) const = 0;

  // Of this block; null for an adversary that draws none.
  virtual const OwnDraws* own_draws() const { return nullptr; }

  // What has been seen since the last call.
  AdversaryReport take_report() { return std::exchange(report_, {}); }

  // Where this thread's turns stand, between chunks.
  virtual void save(CheckpointWriter& file) const = 0;
  virtual void load(CheckpointReader& file) = 0;

 protected:
  AdversaryReport report_;
};

}  // namespace acevec
