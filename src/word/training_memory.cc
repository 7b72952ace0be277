#include "word/training_memory.h"

#include "math/aligned.h"
#include "optim/optimizer.h"
#include "word/block.h"
#include "word/full_adversary.h"

namespace acevec {
namespace {

constexpr int64_t kFloat = sizeof(float);

// The generator's outputs with Adam's two moments of them, and a hidden row per word unless each
// turn computes its own.
int64_t generator_memory(int64_t words, int64_t size, const AdversarySettings& settings) {
  if (settings.sampler == AdversarySettings::Sampler::kCritic) return 0;
  const int64_t moments = settings.optimizer.kind == OptimizerKind::kAdam ? 2 : 0;
  const int64_t hidden = settings.softmax == AdversarySettings::Softmax::kFull ? 0 : 1;
  const int64_t width = padded((settings.hidden.empty() ? size : settings.hidden.back()) + 1);
  return (1 + moments + hidden) * words * width * static_cast<int64_t>(sizeof(float));
}

// The filter, the generator, and for the full softmax the pools and what turns compute.
int64_t adversary_memory(int64_t words, const SkipGramSettings& settings) {
  const AdversarySettings& adversary = *settings.adversary;
  const int64_t filter = adversary.filter_bytes > 0 ? adversary.filter_bytes + 8 * words : 0;
  const int64_t full =
      adversary.softmax == AdversarySettings::Softmax::kFull
          ? FullState::bytes(words) + settings.threads * FullAdversary::bytes(words)
          : 0;
  return filter + generator_memory(words, settings.size, adversary) + full;
}

}  // namespace

TrainingMemory training_memory(int64_t words, const SkipGramSettings& settings, int64_t copies,
                               bool heldout) {
  constexpr int64_t kChunk = 3 << 20;  // ids of a chunk, before and after subsampling
  const int64_t width = padded(settings.size);
  const BlockTrainer::Shape shape = BlockTrainer::shape_for(settings.negatives);
  const int64_t rows = 2 * (shape.tokens + shape.negatives + shape.tokens + 2 * settings.window);
  const int64_t scores = shape.tokens * (shape.negatives + 2 * settings.window + 1);
  const int64_t row = settings.optimizer == OptimizerKind::kAdam
                          ? width + padded(2 * width + 2)  // a vector and its moments
                          : width;
  // The held-out loss has its own copies of rows, while training keeps its.
  const int64_t trainers = heldout ? 2 : 1;
  return {(2 * row + copies * width) * words * kFloat,
          (settings.loss == LossKind::kNegativeSampling ? 48 : 52) * words,
          settings.threads * (trainers * (rows * width + scores) * kFloat + kChunk),
          settings.adversary ? adversary_memory(words, settings) : 0};
}

}  // namespace acevec
