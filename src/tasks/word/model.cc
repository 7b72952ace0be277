#include "tasks/word/model.h"

#include <utility>

#include "base/random.h"

namespace acevec {

OptimizerSettings embedding_optimizer(OptimizerKind kind) {
  return {.kind = kind, .ascend = true};
}

SkipGramModel::SkipGramModel(int64_t vocabulary, int64_t size, OptimizerKind optimizer_kind,
                             uint64_t seed, std::optional<SubwordIndex> index)
    : words(index ? index->rows() : vocabulary, size),
      contexts(vocabulary, size),
      optimizer(optimizer_kind),
      word_moments(
          Optimizer::moments_for(embedding_optimizer(optimizer_kind), vocabulary, words.stride())),
      context_moments(
          Optimizer::moments_for(embedding_optimizer(optimizer_kind), vocabulary, words.stride())),
      subwords(std::move(index)) {
  Random random(seed, Stream::kWordStart);
  for (int64_t i = 0; i < words.rows(); ++i) {
    for (int64_t k = 0; k < size; ++k) {
      words.row(i)[k] = (random.uniform() - 0.5F) / static_cast<float>(size);
    }
  }
}

}  // namespace acevec
