// The losses of skip-gram behind one interface: the loss of a block's scores of positives and
// negatives, and its gradient. See docs/losses.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace acevec {

enum class LossKind {
  kNegativeSampling,  // −log σ(s⁺) − Σ log σ(−s⁻)
  kNce,               // the same with s − log(K q(y)): binary (local) NCE
  kRanking,           // −log softmax of the positive over s − log q(y): ranking NCE
};

// A block's corrected scores. Each row belongs to a word.
struct Scores {
  float* positives;        // rows × positive_count; kNoPair where there is no pair
  int64_t positive_count;  // entries for positives in a row
  const float* weights;    // weights of positives, same shape; null: all are 1
  float* negatives;        // rows × negative_count
  int64_t negative_count;
  int64_t rows;
};

// Sums over training, each pair weighted. s: the score v_x · u_y, corrected as the loss requires.
struct Loss {
  double positive = 0;  // Σ −log σ(s) over positive pairs; the whole of the ranking loss
  double negative = 0;  // Σ −log σ(−s) over negatives, K for each positive pair
  double pairs = 0;     // Σ 1 over positive pairs

  double mean() const { return pairs > 0 ? (positive + negative) / pairs : 0; }
  Loss& operator+=(const Loss& other) {
    positive += other.positive;
    negative += other.negative;
    pairs += other.pairs;
    return *this;
  }
};

// One object serves all threads; arguments belong to the calling thread.
class BlockLoss {
 public:
  // Applies the adversary to the weights of negatives, or to gradients that are proportional to
  // them; empty without an adversary.
  using Reweight = std::function<void(float* weights)>;

  // A thread's buffers.
  struct Scratch {
    std::vector<float> weights, sums;
  };

  explicit BlockLoss(std::vector<float> corrections) : corrections_(std::move(corrections)) {}
  virtual ~BlockLoss() = default;

  // Replaces corrected scores by −step · gradient. weights[i] = m_i · K/N is the weight of each
  // shared negative of token i; m_i is the sum of its positives' weights. Returns the sums, with
  // pairs = 0.
  virtual Loss descend(const Scores& scores, const std::vector<float>& weights, float step,
                       const Reweight& reweight, Scratch& scratch) const = 0;

  // Writes the generator's reward for each candidate, rows × negative_count. Called before
  // descend().
  virtual void rewards(const Scores& scores, float* losses) const = 0;

  // The term subtracted from the scores of each word as a context: log(K q) for kNce, log q for
  // kRanking; empty for negative sampling.
  const std::vector<float>& corrections() const { return corrections_; }

 private:
  std::vector<float> corrections_;
};

// `noise`: q, a probability per word; unused by negative sampling.
std::unique_ptr<BlockLoss> make_block_loss(LossKind kind, const std::vector<double>& noise,
                                           int64_t negatives_per_pair);

}  // namespace acevec
