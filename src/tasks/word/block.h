// Skip-gram and CBOW with negative sampling, a block of tokens at a time, and the interface of
// their adversary.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/random.h"
#include "kernels/products.h"
#include "math/alias.h"
#include "math/aligned.h"
#include "optim/step_rows.h"
#include "tasks/word/block_inputs.h"
#include "tasks/word/block_products.h"
#include "tasks/word/loss.h"
#include "tasks/word/model.h"
#include "tasks/word/sequence.h"
#include "tasks/word/skip_gram.h"

namespace acevec {

// Sums over the rows of the blocks in which the generator learns (or would, for the critic). With
// the full softmax the candidates are draws from g, and a row is a word, not a token.
struct AdversaryReport {
  double noise_loss = 0;        // −log σ(−s) of negatives drawn from the noise
  double adversarial_loss = 0;  // −log σ(−s) of negatives from g, false negatives masked
  double entropy = 0;           // H(g), nats, unmasked
  double observed = 0;          // share of candidates that were observed pairs
  double rows = 0;              // the number of rows
};

// One of a run's threads.
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

// Writes the generator's reward for each candidate, rows × count.
using Rewards = std::function<void(float* losses)>;

// Negatives of individual tokens, in addition to the block's shared ones.
struct OwnDraws {
  std::vector<int32_t> rows;   // the tokens, as rows of the block in increasing order
  std::vector<int32_t> ids;    // their negatives
  std::vector<float> weights;  // relative to all of a token's noise without an adversary
};

// One object per thread. For each block prepare(), play() and reweight() are called in this order.
class BlockAdversary {
 public:
  virtual ~BlockAdversary() = default;

  // Called before the block's rows are fetched.
  virtual void prepare(const int32_t* /*words*/, int64_t /*tokens*/) {}

  // Called when the shared negatives have been scored. Calls `rewards` when the generator learns.
  virtual void play(const ScoredBlock& /*block*/, Random& /*random*/, const Rewards& /*rewards*/) {}

  // Converts weights of the shared negatives, or gradients proportional to them, from the noise to
  // the adversary's mixture, in place: rows × count.
  virtual void reweight(float* weights, int64_t rows, int64_t count) const = 0;

  // This block's draws; null for an adversary that makes none.
  virtual const OwnDraws* own_draws() const { return nullptr; }

  // The sums since the last call.
  AdversaryReport take_report() { return std::exchange(report_, {}); }

  // Save and restore the position of this thread's turns; called between chunks.
  virtual void save(CheckpointWriter& file) const = 0;
  virtual void load(CheckpointReader& file) = 0;

 protected:
  AdversaryReport report_;
};

// word2vec draws K negatives for every positive pair and touches 1 + K rows for it. Here the
// tokens of a block share N negatives: one product of matrices scores all of them against all
// tokens, and two more give the updates. Token i has m_i positive pairs, so its row is weighted by
// m_i · K/N and the expected gradient is word2vec's. See docs/block-trainer.md.
//
// word2vec draws the reach of each token's context, so a pair at distance δ is trained with
// probability (window + 1 − δ) / window. Here every pair is trained, with that as its weight; m_i
// is the sum of token i's weights.
//
// With CBOW x_i is the mean of the token's context, and the token itself is its only positive, the
// target. The target's row is scored and updated in place in U, since no other token shares it. The
// adversary's condition is then the word beside the token, a proxy for the context: the token
// itself would give away the answer.
//
// One object per thread; it has the thread's copies of the rows it works on.
class BlockTrainer {
 public:
  // `words`: the rows to train, which Sequence::word_rows() are indices of. `noise` draws rows of
  // U. `adversary` may be null. All but the shape must outlive the trainer.
  BlockTrainer(WordRows words, SkipGramModel& model, const AliasTable& noise,
               const BlockShape& shape, const BlockLoss& loss, BlockAdversary* adversary);

  // Takes one step at learning rate `alpha` on tokens begin .. end − 1 of `sequence`, at most
  // shape.tokens. Adds the loss before the step to `loss`. If it is not finite, nothing is updated,
  // and `loss` becomes infinite.
  void train(const Sequence& sequence, int64_t begin, int64_t end, float alpha, Random& random,
             Loss& loss);

  // The loss of these tokens with negatives drawn from the noise; takes no step. Must not be called
  // between the training blocks of a sequence.
  Loss score(const Sequence& sequence, int64_t begin, int64_t end, Random& random);

  // The negatives of the last step.
  const std::vector<int32_t>& negatives() const { return negatives_; }

 private:
  void draw_negatives(Random& random);
  void take_negatives();
  void prepare_adversary(const Sequence& sequence, int64_t begin, int64_t end);
  void prefetch_next_inputs(const Sequence& sequence, int64_t begin) const;
  void prefetch_next_contexts(const Sequence& sequence, int64_t begin) const;
  void prefetch_next_negatives() const;
  void gather(const Sequence& sequence, int64_t begin, int64_t end);
  void find_pairs(const Sequence& sequence, int64_t begin, int64_t end);
  BlockView view(const Sequence& sequence, int64_t begin);
  void find_scores(const BlockView& block);
  void correct_scores(const Sequence& sequence, const BlockView& block);
  void play(int64_t tokens, Random& random);
  Loss descend(int64_t tokens, float step);
  Scores scores(int64_t tokens);
  void use_mean_of_noise(int64_t tokens);
  double descend_own_negatives(float step);
  void mix_targets(const int32_t* targets, int64_t tokens);
  float* changes_of_negatives() {
    return context_changes_.data() + (adds_targets_ ? 0 : context_end_ - context_begin_) * width_;
  }
  void add_targets(const Sequence& sequence);
  void add_changes(const Sequence& sequence, float alpha);

  BlockShape shape_;
  std::unique_ptr<BlockProducts> products_;
  bool copies_;  // the products need copies of contexts and negatives
  std::unique_ptr<BlockInputs> inputs_;
  Matrix& context_matrix_;
  RowSteps context_steps_;
  bool plain_;         // SGD: steps are gradients
  bool adds_targets_;  // CBOW's positives, the targets, are updated in place
  const AliasTable& noise_;
  BlockAdversary* adversary_;
  const BlockLoss& loss_;
  float weight_;   // K/N
  int64_t width_;  // floats in a row

  std::vector<int32_t> negatives_, next_negatives_;  // N ids
  std::vector<uint64_t> bits_of_negatives_;          // random bits that draw next_negatives_
  AlignedFloats contexts_;            // rows of U for begin − window .. end + window − 1
  AlignedFloats noise_rows_;          // Y: N × width
  AlignedFloats context_changes_;     // changes of contexts, Y and tokens' own negatives
  std::vector<int32_t> context_ids_;  // the words of these rows
  std::vector<int32_t> conditions_;   // the adversary's condition for each token, a word
  AlignedFloats noise_scores_;        // S = X·Yᵀ, then its gradient: B × N
  BlockLoss::Scratch scratch_;
  AlignedFloats band_;  // positive scores, then gradients: B × (2·window + 1), for CBOW B
  std::vector<Span> contexts_of_word_;
  std::vector<Span> words_of_context_;
  AlignedFloats pair_weights_;    // the weight of each of the band's entries; empty with CBOW
  std::vector<float> side_sums_;  // [n]: the sum of the weights of n contexts on one side
  std::vector<float> weights_;    // m_i · K/N
  AlignedFloats noise_mean_;      // ū: the mean row of the blocks' negatives so far
  AlignedFloats noise_change_;    // ū minus the mean row of this block's negatives
  int64_t blocks_in_mean_ = 0;
  bool draws_own_;                  // the adversary draws negatives for individual tokens
  AlignedFloats own_rows_;          // their rows of U
  std::vector<float> own_scores_;   // their scores, then gradients
  std::vector<float> own_weights_;  // m_i · K · (1 − λ')
  double pairs_ = 0;                // Σ m_i of the block
  int64_t context_begin_ = 0;       // position in the sequence of the first row of contexts_
  int64_t context_end_ = 0;
};

}  // namespace acevec
