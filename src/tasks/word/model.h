// The parameters of skip-gram, and the state of its optimizer.
#pragma once

#include <cstdint>
#include <optional>

#include "math/matrix.h"
#include "optim/optimizer.h"
#include "tasks/word/subword_index.h"

namespace acevec {

// The two matrices of skip-gram, a row per word.
struct SkipGramModel {
  Matrix words;     // V; behind the words' rows those of their n-grams: see SubwordIndex
  Matrix contexts;  // U
  OptimizerKind optimizer;
  Matrix word_moments, context_moments;  // Adam's, see Optimizer; without rows for kSgd
  std::optional<SubwordIndex> subwords;  // none: words have rows of their own only

  // word2vec's start: V uniform in ±0.5/size, U zero. Throws std::bad_alloc.
  SkipGramModel(int64_t vocabulary, int64_t size, OptimizerKind optimizer, uint64_t seed,
                std::optional<SubwordIndex> index = std::nullopt);
};

// What the optimizer of either matrix does with a gradient of the log-likelihood.
OptimizerSettings embedding_optimizer(OptimizerKind kind);

}  // namespace acevec
