// What skip-gram learns, and what its optimizer remembers.
#pragma once

#include <cstdint>

#include "math/matrix.h"
#include "optim/optimizer.h"

namespace acevec {

// The two matrices of skip-gram, a row per word.
struct SkipGramModel {
  Matrix words;     // V
  Matrix contexts;  // U
  OptimizerKind optimizer;
  Matrix word_moments, context_moments;  // Adam's, see Optimizer; without rows for kSgd

  // word2vec's start: V uniform in ±0.5/size, U zero. Throws std::bad_alloc.
  SkipGramModel(int64_t vocabulary, int64_t size, OptimizerKind optimizer, uint64_t seed);
};

// What the optimizer of either matrix does with a gradient of the log-likelihood.
OptimizerSettings embedding_optimizer(OptimizerKind kind);

}  // namespace acevec
