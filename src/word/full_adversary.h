// The adversarial sampler with a softmax over the whole vocabulary (ace-2018, section 4.1). That is
// too dear for every token, but g(·|x) depends on the word alone: in a turn it is computed for some
// words, and samples are drawn for all their tokens to come, until the words' next turn.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ace/full_softmax.h"
#include "ace/sample_pools.h"
#include "base/random.h"
#include "math/alias.h"
#include "word/adversary.h"
#include "word/model.h"

namespace acevec {

// What the threads of a run share besides AdversaryState.
struct FullState {
  static constexpr int64_t kPoolSize = 32;
  // Measured: with a hundred uses of each sample WS353 fell by three points, see docs/ace.md.
  static constexpr int64_t kUses = 16;

  // `noise`: the probabilities that `table` draws with. The generator's biases begin as log p(y),
  // so that g begins as the noise, or as p(y) exp(β s(x, y)): candidates, too, are chosen from what
  // the noise has drawn.
  FullState(AdversaryState& state, const std::vector<double>& noise, const AliasTable& table);

  static int64_t bytes(int64_t vocabulary) {
    return SamplePools::bytes(vocabulary, kPoolSize) +
           vocabulary * static_cast<int64_t>(sizeof(float));
  }

  const std::vector<double>& noise;
  const AliasTable& noise_table;
  std::vector<float> log_noise;
  SamplePools pools;
};

// One object per thread. The state's hidden rows are not used: h is computed anew in each turn.
class FullAdversary {
 public:
  // Words in a turn, so many that what a thread needs for them, three floats for each pair of one
  // of them and one of the vocabulary, takes 24 MiB: 1 .. 64.
  static int64_t words_in_turn(int64_t vocabulary);

  // What one object needs, about.
  static int64_t bytes(int64_t vocabulary);

  // Words of id % threads = thread get their pools from this thread's turns. `random` is the
  // adversary's own, so that λ = 1 leaves all else as it is.
  FullAdversary(AdversaryState& state, FullState& full, const SkipGramModel& model, int thread,
                int threads, Random random);

  // For the next block: takes the generator's turn when it is due, and draws a negative for each
  // token whose word has a pool. In blocks that the adversary does not play in there are none.
  void play(const int32_t* words, int64_t tokens);

  // The tokens that got a negative, as rows of the block in increasing order, and the negatives'
  // ids. Observed pairs are never among them.
  const std::vector<int32_t>& rows() const { return rows_; }
  const std::vector<int32_t>& negatives() const { return negatives_; }

  // 1 − λ' of each of these tokens: what its own negative weighs where all its noise weighs 1
  // without adversary. See Mixture and AdversaryState::trust.
  const std::vector<float>& weights() const { return weights_; }

  // Leaves the noise of tokens with a negative of their own the weight λ'. gradients: `count` for
  // each token of the block.
  void make_room(float* gradients, int64_t count) const;

  // Sums since the last call.
  AdversaryReport take_report() { return std::exchange(report_, {}); }

  // Where this thread's turns stand, between chunks.
  void save(CheckpointWriter& file) const;
  void load(CheckpointReader& file);

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
  int32_t thread_, threads_;
  Random random_;
  int64_t vocabulary_;
  Mixture mixture_;
  int64_t blocks_ = 0, played_ = 0;

  std::vector<int32_t> rows_, negatives_;  // of the block at hand
  std::vector<float> weights_;
  std::vector<int32_t> waiting_;  // for each word, tokens met since its last turn

  // The turn's.
  std::optional<FullSoftmax> softmax_;  // none for the critic
  std::vector<int32_t> words_;
  AlignedFloats features_, vectors_;          // the words' rows of U and of V
  AlignedFloats outcomes_;                    // rows of U, some at a time
  std::vector<float> scores_;                 // s(x, y), then rewards: words × vocabulary
  std::vector<float> critic_;                 // g of the critic: the same
  std::vector<int32_t> drawn_, drawn_noise_;  // words × kPoolSize
  AdversaryReport report_;
};

}  // namespace acevec
