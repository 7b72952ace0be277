// Models and sequences of random words, for tests of a block's step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "tasks/word/model.h"
#include "tasks/word/reference_trainer.h"
#include "tasks/word/sequence.h"

namespace acevec {

inline constexpr int64_t kVocabulary = 40;
inline constexpr int64_t kSize = 20;

inline void fill(Matrix& matrix, Random& random) {
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    for (int64_t k = 0; k < matrix.columns(); ++k) matrix.row(i)[k] = random.uniform() - 0.5F;
  }
}

// Both matrices random: at U = 0, where training starts, most gradients are 0.
inline SkipGramModel random_model(OptimizerKind optimizer, Random& random) {
  SkipGramModel model(kVocabulary, kSize, optimizer, 1);
  fill(model.words, random);
  fill(model.contexts, random);
  return model;
}

inline reference::Rows rows_of(const Matrix& matrix) {
  reference::Rows rows;
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    rows.emplace_back(matrix.row(i), matrix.row(i) + matrix.columns());
  }
  return rows;
}

// Lines of random words with random contexts; words repeat inside a block.
inline Sequence random_sequence(int64_t lines, int64_t window, Random& random,
                                ContextSide side = ContextSide::kBoth) {
  Sequence sequence;
  for (int64_t line = 0; line < lines; ++line) {
    const auto start = static_cast<int32_t>(sequence.ids.size());
    const auto end = start + 2 + static_cast<int32_t>(random.below(30));
    for (int32_t i = start; i < end; ++i) {
      const auto reach = static_cast<int32_t>(1 + random.below(static_cast<uint32_t>(window)));
      sequence.ids.push_back(static_cast<int32_t>(random.below(kVocabulary)));
      sequence.first.push_back(side == ContextSide::kAfter ? i : std::max(start, i - reach));
      sequence.last.push_back(side == ContextSide::kBefore ? i + 1 : std::min(end, i + reach + 1));
    }
  }
  return sequence;
}

}  // namespace acevec
