// Skip-gram with negative sampling, a block of tokens at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "math/alias.h"
#include "math/aligned.h"
#include "math/kernels.h"
#include "optim/row_steps.h"
#include "word/adversary.h"
#include "word/full_adversary.h"
#include "word/loss.h"
#include "word/model.h"
#include "word/own_negatives.h"
#include "word/sequence.h"

namespace acevec {

// Sums over training, in double. s: the score v_x · u_y, corrected as the loss has it.
struct Loss {
  double positive = 0;  // Σ −log σ(s) over positive pairs; with the ranking loss all of it
  double negative = 0;  // Σ −log σ(−s) over negatives, K for each positive pair
  int64_t pairs = 0;    // positive pairs

  double mean() const { return pairs > 0 ? (positive + negative) / static_cast<double>(pairs) : 0; }
  Loss& operator+=(const Loss& other) {
    positive += other.positive;
    negative += other.negative;
    pairs += other.pairs;
    return *this;
  }
};

// The numbers of a run can no longer be trusted, and it ends.
class Diverged : public Error {
 public:
  using Error::Error;
};

// Seconds of some blocks, and how many of them the adversary took.
struct BlockTime {
  double adversary = 0;
  double all = 0;

  BlockTime& operator+=(const BlockTime& other) {
    adversary += other.adversary;
    all += other.all;
    return *this;
  }
};

// word2vec draws K negatives for every positive pair and touches 1 + K rows for it. Here the
// tokens of a block share N negatives: one product of matrices scores all of them against all
// tokens, and two more give the updates. Token i has m_i positive pairs, so its row is weighted by
// m_i · K/N and the expected gradient is word2vec's. See docs/block-trainer.md.
//
// One object per thread; it holds the thread's copies of the rows it works on.
class BlockTrainer {
 public:
  struct Shape {
    int64_t tokens;     // B, tokens in a block
    int64_t negatives;  // N, negatives that they share
  };

  // The shape used for K negatives per pair: N grows with K, which keeps the step that one
  // negative's row takes in a block about the same.
  static Shape shape_for(int64_t negatives_per_pair);

  // `noise` gives ids of rows of U. At most one adversary is not null; both null: noise only. The
  // full one goes with negative sampling only. `objective` must outlive the trainer.
  BlockTrainer(SkipGramModel& model, const AliasTable& noise, int64_t window,
               int64_t negatives_per_pair, Shape shape, Adversary* adversary,
               FullAdversary* full_adversary = nullptr,
               const Objective& objective = kNegativeSampling);

  // One step at rate `alpha` on tokens begin .. end − 1 of `sequence`, at most shape.tokens.
  // Adds the loss before the step to `loss`. Throws Diverged when the loss is not finite; the
  // matrices are then as they were before the step.
  void train(const Sequence& sequence, int64_t begin, int64_t end, float alpha, Random& random,
             Loss& loss);

  // The loss of such tokens with negatives drawn from the noise; nothing is learned. Never in
  // between the blocks of a sequence that is trained on.
  Loss score(const Sequence& sequence, int64_t begin, int64_t end, Random& random);

  // The processor time of the blocks since the last call, of one in 31: asking the clock costs a
  // microsecond. A prime, since what the adversary does in every second or eighth block must not
  // fall into step with it. Without adversary: nothing.
  BlockTime take_time() { return std::exchange(time_, {}); }

  // The negatives of the last step.
  const std::vector<int32_t>& negatives() const { return negatives_; }

 private:
  void draw_negatives(Random& random);
  void draw_own_negatives(const int32_t* ids, int64_t tokens);
  void prefetch_next(const Sequence& sequence, int64_t begin);
  void gather(const Sequence& sequence, int64_t begin, int64_t end);
  void find_pairs(const Sequence& sequence, int64_t begin, int64_t end);
  float* band(int64_t begin);
  void score_positives(int64_t begin, int64_t tokens);
  void score_negatives(int64_t tokens);
  void correct_scores(const Sequence& sequence, int64_t begin, int64_t tokens);
  void play(const Sequence& sequence, int64_t begin, int64_t tokens, Random& random);
  Loss tell_apart(int64_t tokens, float step);
  Loss rank(int64_t tokens, float step);
  void mix_changes(int64_t begin, int64_t tokens);
  Scores scores(int64_t tokens);
  double score_own_negatives(float step);
  float* changes_of_negatives();
  void add_changes(const Sequence& sequence, int64_t begin, int64_t end, float alpha);

  Matrix& word_matrix_;
  Matrix& context_matrix_;
  RowSteps word_steps_, context_steps_;
  bool plain_;  // steps are gradients
  const AliasTable& noise_;
  Adversary* adversary_;
  FullAdversary* full_adversary_;
  const Objective& objective_;
  int64_t window_;
  float negatives_per_pair_;
  int64_t width_;  // floats in a row

  int64_t tokens_;                                   // B
  std::vector<int32_t> negatives_, next_negatives_;  // N ids
  AlignedFloats words_, word_changes_;               // X: B × width
  AlignedFloats contexts_;            // rows of U for begin − window .. end + window − 1
  AlignedFloats noise_rows_;          // Y: N × width
  AlignedFloats context_changes_;     // of the contexts, of Y, and of tokens' own negatives
  std::vector<int32_t> context_ids_;  // whose rows these are
  AlignedFloats noise_scores_;        // S = X·Yᵀ, then its gradient: B × N
  AlignedFloats mixture_;             // of the ranking loss with an adversary, weights: B × N
  AlignedFloats log_sums_;            // of the ranking loss
  AlignedFloats band_;                // positive scores, then gradients: B × (2·window + 1)
  std::vector<Span> contexts_of_word_;
  std::vector<Span> words_of_context_;
  std::vector<float> weights_;                 // m_i · K/N
  std::optional<OwnNegatives> own_negatives_;  // with the full adversary
  std::vector<float> own_weights_;             // m_i · K · (1 − λ')
  int64_t pairs_ = 0;                          // Σ m_i of the block
  int64_t context_begin_ = 0;  // position in the sequence of the first row of contexts_
  int64_t context_end_ = 0;
  int64_t blocks_ = 0;
  bool timed_ = false;  // this block is
  BlockTime time_;
};

}  // namespace acevec
