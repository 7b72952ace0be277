#include "tasks/word/memory.h"

#include "ace/generator.h"
#include "base/error.h"
#include "base/progress.h"
#include "math/aligned.h"
#include "optim/optimizer.h"
#include "tasks/word/composed_words.h"
#include "tasks/word/full_adversary.h"

namespace acevec {
namespace {

// The memory of the generator: its outputs with their moments, a hidden row for each word (not with
// the full softmax), and the rows and outputs that each thread works on.
int64_t generator_memory(int64_t words, const SkipGramSettings& skip_gram, bool full) {
  const AdversarySettings& settings = *skip_gram.adversary;
  if (settings.sampler != Sampler::kLearned) return 0;
  const BlockShape shape = skip_gram.block();
  const int64_t inputs = padded(skip_gram.size);
  const int64_t units =
      padded(1 + (settings.hidden.empty() ? skip_gram.size : settings.hidden.back()));
  const int64_t rows = full ? FullAdversary::words_in_turn(words) : 2 * shape.tokens;
  const int64_t outputs = full ? FullSoftmax::kBlock : shape.negatives;
  const int64_t thread = rows * (inputs + 4 * units) + 5 * outputs * units;
  return Optimizer::moment_bytes(settings.optimizer, words, units) +
         ((full ? 1 : 2) * words * units + skip_gram.threads * thread) * kFloatSize;
}

// The memory of the adversary: the filter, the generator, and for each thread the full softmax's
// pools and turns, or the tables of a block's candidates.
int64_t adversary_memory(int64_t words, const SkipGramSettings& settings) {
  constexpr int64_t kTables = 8;  // each has a number for each token and candidate
  const AdversarySettings& adversary = *settings.adversary;
  const BlockShape shape = settings.block();
  const int64_t filter = adversary.filter_bytes > 0 ? adversary.filter_bytes + 8 * words : 0;
  const bool full = adversary.softmax == AdversarySettings::Softmax::kFull;
  const int64_t pools = full ? words * (FullState::kPoolSize + 2) * kFloatSize : 0;
  const int64_t thread =
      full ? FullAdversary::bytes(words) : kTables * shape.tokens * shape.negatives * kFloatSize;
  return filter + generator_memory(words, settings, full) + pools + settings.threads * thread;
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
    plan.parts.push_back({"subwords", composed_bytes(words, settings.size, settings.threads)});
    plan.advice = "lower -size, -bucket or -max-vocab";
  }
  if (settings.adversary) plan.parts.push_back({"adversary", adversary_memory(words, settings)});
  return plan;
}

}  // namespace acevec
