#include "tasks/metric/adversary.h"

#include <numeric>

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

int64_t MetricAdversary::bytes(const GeneratorSettings& settings, int64_t most_rows) {
  return most_rows * most_rows * (4 * kFloatSize + 1) + 2 * most_rows * kFloatSize +
         Generator::bytes(settings, most_rows, most_rows);
}

MetricAdversary::MetricAdversary(GeneratorParameters& generator, const MetricSettings& settings)
    : settings_(settings),
      generator_(generator, settings.batch, settings.batch),
      noise_(NegativeKind::kUniform, 0, settings.batch),
      logits_(static_cast<size_t>(settings.batch * settings.batch)),
      rewards_(logits_.size()),
      g_(logits_.size()),
      gradient_(logits_.size()),
      same_(logits_.size()),
      entropies_(static_cast<size_t>(settings.batch)) {}

void MetricAdversary::choose(const BatchDistances& batch, const int32_t* points, Random& random,
                             int32_t* chosen) {
  const int64_t n = batch.rows, count = settings_.negatives;
  generator_.logits(generator_.hidden(batch.vectors, n), n, {points, n}, batch.squares,
                    -settings_.beta, logits_.data());
  for (int64_t i = 0; i < n; ++i) {
    mark_same_class(batch, i, same_.data() + i * n);
    const float* const squares = batch.squares + i * n;
    const float positive = squares[batch.positives[i]];
    for (int64_t j = 0; j < n; ++j)
      rewards_[static_cast<size_t>(i * n + j)] =
          triplet_loss(settings_.margin, positive, squares[j]);
  }
  softmax_rows(logits_.data(), 1, {same_.data(), n, n}, g_.data(), entropies_.data());
  noise_.choose(batch, count, random, chosen);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t k = i * count; k < (i + 1) * count; ++k) {
      if (chosen[k] < 0 || double{random.uniform()} < settings_.lambda) continue;
      const int64_t drawn = draw_candidate(g_.data() + i * n, n, random);
      if (drawn >= 0) chosen[k] = static_cast<int32_t>(drawn);
    }
  }
  const PolicyValue value = policy_gradient(kPolicy, {same_.data(), n, n}, logits_.data(),
                                            rewards_.data(), random, {g_.data(), gradient_.data()});
  generator_.learn(batch.vectors, gradient_.data());
  report_.entropy += std::accumulate(entropies_.begin(), entropies_.begin() + n, 0.0);
  report_.reward += value.reward;
  report_.conditions += static_cast<double>(n);
}

}  // namespace acevec
