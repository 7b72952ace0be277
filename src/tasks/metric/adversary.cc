#include "tasks/metric/adversary.h"

#include <numeric>

#include "base/parallel.h"
#include "kernels/policy_kernels.h"
#include "tasks/metric/loss.h"

namespace acevec {
namespace {

constexpr PolicySettings kPolicy{.penalty = 1};
constexpr int64_t kUnits = 32;  // of the generator's layer

}  // namespace

GeneratorSettings metric_generator(const MetricSettings& settings, int64_t points, int64_t size) {
  return {size, {kUnits}, points, {}, settings.seed, Stream::kMetricGenerator};
}

int64_t MetricAdversary::bytes(const GeneratorSettings& settings, int64_t most_rows, int threads) {
  return 2 * most_rows * most_rows * kFloatSize +
         Generator::bytes(settings, most_rows, most_rows, threads);
}

MetricAdversary::MetricAdversary(GeneratorParameters& generator, const MetricSettings& settings)
    : settings_(settings),
      generator_(generator, settings.batch, settings.batch, settings.threads),
      logits_(static_cast<size_t>(settings.batch * settings.batch)),
      gradient_(logits_.size()) {}

void MetricAdversary::choose(const BatchDistances& batch, const int32_t* points, Random& random,
                             int32_t* chosen) {
  const int64_t n = batch.rows;
  generator_.logits(generator_.hidden(batch.vectors, n), n, {points, n}, batch.squares,
                    -settings_.beta, logits_.data());
  const uint64_t seed = random();
  std::vector<PolicyReport> blocks(
      static_cast<size_t>((n + Anchors::kTogether - 1) / Anchors::kTogether));
  in_blocks(settings_.threads, n, Anchors::kTogether, [&](int64_t begin, int64_t end) {
    const int64_t block = begin / Anchors::kTogether;
    Random own(seed, Stream::kStepBlock, block);
    blocks[static_cast<size_t>(block)] = play(batch, {begin, end}, own, chosen);
  });
  for (const PolicyReport& block : blocks) {
    report_.entropy += block.entropy;
    report_.reward += block.reward;
    report_.conditions += block.conditions;
  }
  generator_.learn(batch.vectors, gradient_.data());
}

// The anchors' choices, and the gradient of what the generator is paid for them.
PolicyReport MetricAdversary::play(const BatchDistances& batch, Anchors anchors, Random& random,
                                   int32_t* chosen) {
  const int64_t n = batch.rows, count = settings_.negatives;
  const int64_t rows = anchors.last - anchors.first;
  const float* const logits = logits_.data() + anchors.first * n;
  std::vector<float> rewards(static_cast<size_t>(rows * n)), g(rewards.size());
  std::vector<float> entropies(static_cast<size_t>(rows));
  std::vector<uint8_t> same(rewards.size());
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t anchor = anchors.first + i;
    mark_same_class(batch, anchor, same.data() + i * n);
    const float* const squares = batch.squares + anchor * n;
    const float positive = squares[batch.positives[anchor]];
    for (int64_t j = 0; j < n; ++j) {
      rewards[static_cast<size_t>(i * n + j)] =
          triplet_loss(settings_.margin, positive, squares[j]);
    }
  }
  softmax_rows(logits, 1, {same.data(), rows, n}, g.data(), entropies.data());
  choose_negatives({NegativeKind::kUniform, count}, batch, anchors, random, chosen);
  for (int64_t i = 0; i < rows; ++i) {
    int32_t* const own = chosen + (anchors.first + i) * count;
    for (int64_t k = 0; k < count; ++k) {
      if (own[k] < 0 || double{random.uniform()} < settings_.lambda) continue;
      const int64_t drawn = draw_candidate(g.data() + i * n, n, random);
      if (drawn >= 0) own[k] = static_cast<int32_t>(drawn);
    }
  }
  const PolicyValue value =
      policy_gradient(kPolicy, {same.data(), rows, n}, logits, rewards.data(), random,
                      {g.data(), gradient_.data() + anchors.first * n});
  return {static_cast<double>(rows), std::accumulate(entropies.begin(), entropies.end(), 0.0),
          value.reward};
}

}  // namespace acevec
