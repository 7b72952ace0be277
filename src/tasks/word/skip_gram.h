// Settings of skip-gram, and the default learning rate and epochs for a text.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "ace/policy.h"
#include "kernels/bfloat16.h"
#include "optim/optimizer.h"
#include "tasks/word/loss.h"
#include "vectors/subwords.h"

namespace acevec {

// The tokens of a block share their negatives; see docs/block-trainer.md.
struct BlockShape {
  int64_t tokens;              // B, tokens in a block
  int64_t negatives;           // N, negatives that they share
  int64_t window;              // largest distance of a context word
  int64_t negatives_per_pair;  // K
  bool cbow = false;           // predicts a token from its context, not the context from the token
  ProductPrecision precision = ProductPrecision::kFloat;
  double context_rate = 1;  // learning rate of CBOW's context rows, relative to alpha

  // The largest distance of a positive from its token, and the band's columns, the token's
  // included.
  int64_t reach() const { return cbow ? 0 : window; }
  int64_t band_width() const { return 2 * reach() + 1; }
};

// The block shape for K negatives per pair. N grows with K, so that the step of one negative's row
// per block stays about the same. CBOW has one pair per token where skip-gram has several, so it
// needs fewer negatives. The gradient of a context's mean is divided among its rows; their higher
// learning rate makes their steps about half of word2vec's, which does not divide
// (docs/experiments/subwords.md).
constexpr BlockShape block_shape(int64_t window, int64_t negatives_per_pair, bool cbow = false,
                                 ProductPrecision precision = ProductPrecision::kFloat) {
  const int64_t negatives_for_five = cbow ? 16 : 32;  // N for K = 5
  const int64_t shared = (negatives_per_pair * negatives_for_five / 5 + 7) / 8 * 8;
  const double context_rate = cbow ? static_cast<double>(window + 1) / 2 : 1;
  return {64, shared < 8 ? 8 : shared, window, negatives_per_pair, cbow, precision, context_rate};
}

struct AdversarySettings {
  enum class Softmax {
    kCandidates,  // over the block's shared negatives
    kFull,        // over the whole vocabulary
  };

  Sampler sampler = Sampler::kCritic;
  Softmax softmax = Softmax::kCandidates;
  double lambda = 0.7;  // λ, share of the noise in the mixture λ p + (1 − λ) g (Eq. 4)
  double rare = 20;     // count at which a word gets half of the adversary's weight; rarer: less
  double force = 1;     // 1: the mixture keeps the total gradient of random negatives; 0: no
  double beta = 0.8;    // β, weight of the critic's scores in the logits; 0: the network alone
  std::vector<int64_t> hidden{32, 32};
  PolicySettings policy;
  OptimizerSettings optimizer;
  int64_t every = 16;  // the adversary takes a turn in one of this many blocks it plays in
  int64_t filter_bytes = 32 << 20;  // size of the filter of observed pairs; 0: none;
                                    // see filter_mebibytes()
};

struct SkipGramSettings {
  bool cbow = false;       // CBOW in place of skip-gram
  int64_t size = 100;      // d, dimension of the vectors
  int64_t window = 5;      // largest distance of a context word
  bool one_sided = false;  // only earlier words predict later ones
  int64_t negatives = 5;   // K, negatives per positive pair
  SubwordShape subwords;   // n-grams that words are composed of; none by default
  LossKind loss = LossKind::kNegativeSampling;
  ProductPrecision precision = ProductPrecision::kFloat;
  double sample = 1e-4;  // t, frequency above which words are subsampled; 0: never
  OptimizerKind optimizer = OptimizerKind::kSgd;
  int threads = 1;
  uint64_t seed = 1;
  std::optional<AdversarySettings> adversary;  // ACE

  BlockShape block() const { return block_shape(window, negatives, cbow, precision); }
};

// Default learning rate and epochs for a text: see docs/experiments/small-texts.md.
struct Pace {
  // The learning rate times the tokens trained that suits a short text. With half of it vectors are
  // worse; with twice as much, rare words overfit their few contexts.
  double product;
  double least, most;  // bounds of learning rate × epochs, for long and short texts
  // A run of up to `short_run` tokens has the rate `fast`. With more tokens the rate falls as this
  // power of their number, to `slow`.
  double short_run = 18e6, power = 0.5;
  double slow = 0.05, fast = 0.1;
  int64_t fewest = 4;  // default epochs at least
};
inline constexpr Pace kPaceFromRandom{1.2e6, 0.2, 1};
inline constexpr Pace kPaceFromCounts{0.6e6, 0.15, 0.4};  // such a start leaves less to learn
// Steps of an n-gram add up over the words that share it, so higher rates may diverge. With shorter
// n-grams than kLeastForPace characters even these may.
inline constexpr Pace kPaceWithSubwords{1.25e6, 1.25, 1.25, 25e6, 1, 0.025, 0.05, 5};
inline constexpr int64_t kLeastForPace = 3;

// Texts with fewer tokens are initialised from counts. Longer ones gain nothing by it.
inline constexpr int64_t kFewTokens = 4'000'000;

// The default learning rate; `tokens` and `epochs` are at least 1. A short run has a higher rate,
// and a run with more epochs than the text needs a lower one.
inline double default_rate(int64_t tokens, int64_t epochs, const Pace& pace) {
  const auto once = static_cast<double>(tokens);
  const auto times = static_cast<double>(epochs);
  const double falling = pace.fast * std::pow(pace.short_run / (once * times), pace.power);
  return std::min(std::clamp(falling, pace.slow, pace.fast),
                  std::clamp(pace.product / once, pace.least, pace.most) / times);
}

// The epochs, `least` .. `most`, that train about `wanted` tokens of a text of `tokens` ≥ 1.
inline int64_t default_epochs(int64_t tokens, double wanted, int64_t least, int64_t most) {
  const double epochs = wanted / static_cast<double>(tokens);
  return epochs >= static_cast<double>(most) ? most
                                             : std::max<int64_t>(std::llround(epochs), least);
}

}  // namespace acevec
