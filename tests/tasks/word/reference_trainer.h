// Skip-gram with negative sampling as word2vec does it, pair by pair, in plain loops: what the
// block trainer is held against. Slow and simple on purpose.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "math/alias.h"
#include "tasks/word/sequence.h"

namespace acevec::reference {

using Rows = std::vector<std::vector<double>>;

inline double score(const std::vector<double>& v, const std::vector<double>& u) {
  double sum = 0;
  for (size_t k = 0; k < v.size(); ++k) sum += v[k] * u[k];
  return sum;
}

inline double softplus(double s) {
  return s > 30 ? s : std::log1p(std::exp(s));
}
inline double sigmoid(double s) {
  return 1 / (1 + std::exp(-s));
}

// What a loss subtracts from the scores of each context; nothing when empty.
using Corrections = std::vector<double>;

inline double corrected(const Rows& words, int32_t word, const Rows& contexts, int32_t context,
                        const Corrections& corrections) {
  return score(words[static_cast<size_t>(word)], contexts[static_cast<size_t>(context)]) -
         (corrections.empty() ? 0 : corrections[static_cast<size_t>(context)]);
}

// The chance that a reach drawn from 1 .. window includes the context j of token i; 1 without a
// window, for contexts whose reach has been drawn.
inline double weight_of(size_t i, size_t j, int64_t window) {
  const auto distance = static_cast<double>(i < j ? j - i : i - j);
  return window == 0 ? 1
                     : (static_cast<double>(window) + 1 - distance) / static_cast<double>(window);
}

// m_i, the sum of the weights of token i's contexts.
inline double weight_of_contexts(const Sequence& sequence, size_t i, int64_t window) {
  double sum = 0;
  for (auto j = static_cast<size_t>(sequence.first[i]); j < static_cast<size_t>(sequence.last[i]);
       ++j) {
    if (i != j) sum += weight_of(i, j, window);
  }
  return sum;
}

// −log σ(s⁺) for every positive pair of tokens begin .. end − 1, by its weight.
inline double positive_loss(const Rows& words, const Rows& contexts, const Sequence& sequence,
                            int64_t begin, int64_t end, int64_t window,
                            const Corrections& corrections = {}) {
  double loss = 0;
  for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
    for (auto j = static_cast<size_t>(sequence.first[i]); j < static_cast<size_t>(sequence.last[i]);
         ++j) {
      if (i == j) continue;
      loss += weight_of(i, j, window) *
              softplus(-corrected(words, sequence.ids[i], contexts, sequence.ids[j], corrections));
    }
  }
  return loss;
}

// Σ_i m_i · K/N Σ_k −log σ(−s_ik): what K negatives a pair cost on average when they are drawn
// from these N.
inline double negative_loss(const Rows& words, const Rows& contexts, const Sequence& sequence,
                            int64_t begin, int64_t end, int64_t window,
                            const std::vector<int32_t>& negatives, double negatives_per_pair,
                            const Corrections& corrections = {}) {
  double loss = 0;
  for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
    const double pairs = weight_of_contexts(sequence, i, window);
    for (const int32_t k : negatives) {
      loss += pairs * negatives_per_pair / static_cast<double>(negatives.size()) *
              softplus(corrected(words, sequence.ids[i], contexts, k, corrections));
    }
  }
  return loss;
}

// −log of each positive's part in the softmax of its score and those of all negatives.
inline double ranking_loss(const Rows& words, const Rows& contexts, const Sequence& sequence,
                           int64_t begin, int64_t end, int64_t window,
                           const std::vector<int32_t>& negatives, const Corrections& corrections) {
  double loss = 0;
  for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
    double others = 0;
    for (const int32_t k : negatives) {
      others += std::exp(corrected(words, sequence.ids[i], contexts, k, corrections));
    }
    for (auto j = static_cast<size_t>(sequence.first[i]); j < static_cast<size_t>(sequence.last[i]);
         ++j) {
      if (i == j) continue;
      const double own =
          std::exp(corrected(words, sequence.ids[i], contexts, sequence.ids[j], corrections));
      loss -= weight_of(i, j, window) * std::log(own / (own + others));
    }
  }
  return loss;
}

// One pass over `sequence` with K negatives for every pair, as in word2vec.c.
inline void train(Rows& words, Rows& contexts, const Sequence& sequence, const AliasTable& noise,
                  int64_t negatives_per_pair, double alpha, Random& random) {
  for (size_t i = 0; i < sequence.ids.size(); ++i) {
    for (auto j = static_cast<size_t>(sequence.first[i]); j < static_cast<size_t>(sequence.last[i]);
         ++j) {
      if (i == j) continue;
      std::vector<double>& v = words[static_cast<size_t>(sequence.ids[i])];
      std::vector<double> change(v.size(), 0.0);
      for (int64_t draw = 0; draw <= negatives_per_pair; ++draw) {
        const int32_t target = draw == 0 ? sequence.ids[j] : noise.draw(random);
        if (draw > 0 && target == sequence.ids[j]) continue;
        std::vector<double>& u = contexts[static_cast<size_t>(target)];
        const double step = alpha * ((draw == 0 ? 1.0 : 0.0) - sigmoid(score(v, u)));
        for (size_t k = 0; k < v.size(); ++k) {
          change[k] += step * u[k];
          u[k] += step * v[k];
        }
      }
      for (size_t k = 0; k < v.size(); ++k) v[k] += change[k];
    }
  }
}

}  // namespace acevec::reference
