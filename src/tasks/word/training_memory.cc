#include "tasks/word/training_memory.h"

#include <algorithm>

#include "ace/full_softmax.h"
#include "base/error.h"
#include "base/progress.h"
#include "math/aligned.h"
#include "optim/optimizer.h"
#include "tasks/word/full_adversary.h"
#include "tasks/word/model.h"

namespace acevec {
namespace {

// The generator, a hidden row per word unless each turn computes its own, and what threads need to
// play it.
int64_t generator_memory(int64_t words, const SkipGramSettings& skip_gram) {
  const AdversarySettings& settings = *skip_gram.adversary;
  if (settings.sampler != Sampler::kLearned) return 0;
  const int64_t units = settings.hidden.empty() ? skip_gram.size : settings.hidden.back();
  const GeneratorSettings generator{skip_gram.size, settings.hidden, words, settings.optimizer,
                                    skip_gram.seed};
  const int64_t shared = GeneratorParameters::bytes(generator);
  if (settings.softmax == AdversarySettings::Softmax::kFull) {
    return shared + skip_gram.threads * Generator::bytes(generator,
                                                         FullAdversary::words_in_turn(words),
                                                         FullSoftmax::kBlock);
  }
  const BlockShape shape = skip_gram.block();
  const int64_t rows = 2 * shape.tokens * (padded(skip_gram.size) + padded(units + 1)) * kFloatSize;
  return shared + words * padded(units + 1) * kFloatSize +
         skip_gram.threads * (rows + Generator::bytes(generator, shape.tokens, shape.negatives));
}

// The filter, the generator, and for the full softmax the pools and what turns compute; else what
// threads note of a block's candidates.
int64_t adversary_memory(int64_t words, const SkipGramSettings& settings) {
  constexpr int64_t kTables = 8;  // of a number for each token and candidate
  const AdversarySettings& adversary = *settings.adversary;
  const BlockShape shape = settings.block();
  const int64_t filter = adversary.filter_bytes > 0 ? adversary.filter_bytes + 8 * words : 0;
  const bool full = adversary.softmax == AdversarySettings::Softmax::kFull;
  const int64_t thread =
      full ? FullAdversary::bytes(words) : kTables * shape.tokens * shape.negatives * kFloatSize;
  return filter + generator_memory(words, settings) + (full ? FullState::bytes(words) : 0) +
         settings.threads * thread;
}

// The words of a piece as each thread composes them, and all of them for the output.
int64_t subword_memory(int64_t words, const SkipGramSettings& settings) {
  constexpr int64_t kWordsInPiece = 50000;  // more than texts have
  const int64_t row = padded(settings.size) * kFloatSize;
  const int64_t in_piece = std::min(words, kWordsInPiece);
  return words * row + settings.threads * (2 * in_piece * row + 4 * words);
}

}  // namespace

MemoryPlan word_memory(int64_t words, const SkipGramSettings& settings, int64_t subword_rows,
                       bool keep_best, bool heldout) {
  constexpr int64_t kChunk = 3 << 20;  // ids of a chunk, before and after subsampling
  const int64_t width = padded(settings.size);
  const BlockShape shape = settings.block();
  // Copies and changes; negatives are there once more, transposed.
  const int64_t rows =
      2 * (shape.tokens + shape.negatives + shape.tokens + 2 * settings.window) + shape.negatives;
  const int64_t scores = shape.tokens * (shape.negatives + 2 * settings.window + 1);
  // In bfloat16 a row is there twice more, at half the size.
  const double copies = settings.precision == ProductPrecision::kBfloat16 ? 1.5 : 1;
  const auto block = static_cast<int64_t>(copies * static_cast<double>(rows * width + scores));
  const OptimizerSettings optimizer = embedding_optimizer(settings.optimizer);
  // The held-out loss has its own copies of rows, while training keeps its.
  const int64_t trainers = heldout ? 2 : 1;
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(words, "word").c_str(),
                    static_cast<long>(settings.size));
  plan.advice = "lower -size or -max-vocab";
  // V and U, with Adam their moments, and copies of the best; what noise and subsampling are built
  // from; the copies of rows that threads work on, and a chunk of ids each.
  plan.parts = {{"matrices", (keep_best ? 2 : 1) * (2 * words + subword_rows) * width * kFloatSize +
                                 2 * Optimizer::moment_bytes(optimizer, words, width)},
                {"tables", (settings.loss == LossKind::kNegativeSampling ? 48 : 52) * words},
                {"threads", settings.threads * (trainers * block * kFloatSize + kChunk)}};
  if (settings.subwords.any()) {
    plan.parts.push_back({"subwords", subword_memory(words, settings)});
    plan.advice = "lower -size, -bucket or -max-vocab";
  }
  if (settings.adversary) plan.parts.push_back({"adversary", adversary_memory(words, settings)});
  return plan;
}

}  // namespace acevec
