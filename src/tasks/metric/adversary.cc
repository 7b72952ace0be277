#include "tasks/metric/adversary.h"

#include <numeric>

#include "kernels/policy_kernels.h"

namespace acevec {

GeneratorSettings metric_generator(const MetricAdversarySettings& settings, int64_t points,
                                   int64_t size, uint64_t seed) {
  return {size, settings.hidden, points, settings.optimizer, seed, Stream::kMetricGenerator};
}

int64_t MetricAdversary::bytes(const GeneratorSettings& settings, int64_t most_rows) {
  constexpr auto kFloat = static_cast<int64_t>(sizeof(float));
  return most_rows * most_rows * (4 * kFloat + 1) + 2 * most_rows * kFloat +
         Generator::bytes(settings, most_rows, most_rows);
}

MetricAdversary::MetricAdversary(GeneratorParameters& generator,
                                 const MetricAdversarySettings& settings, int64_t most_rows)
    : settings_(settings),
      generator_(generator, most_rows, most_rows),
      noise_(NegativeKind::kUniform, 0, most_rows),
      logits_(static_cast<size_t>(most_rows * most_rows)),
      rewards_(logits_.size()),
      g_(logits_.size()),
      gradient_(logits_.size()),
      same_(logits_.size()),
      entropies_(static_cast<size_t>(most_rows)) {}

void MetricAdversary::choose(const BatchDistances& batch, const int32_t* points, float margin,
                             int64_t count, Random& random, int32_t* chosen) {
  const int64_t n = batch.rows;
  generator_.logits(generator_.hidden(batch.vectors, n), n, {points, n}, batch.squares,
                    -settings_.beta, logits_.data());
  for (int64_t i = 0; i < n; ++i) {
    mark_same_class(batch, i, same_.data() + i * n);
    const float* const squares = batch.squares + i * n;
    const float positive = squares[batch.positives[i]];
    for (int64_t j = 0; j < n; ++j)
      rewards_[static_cast<size_t>(i * n + j)] = triplet_loss(margin, positive, squares[j]);
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
  const PolicyValue value = policy_gradient(settings_.policy, {same_.data(), n, n}, logits_.data(),
                                            rewards_.data(), random, {g_.data(), gradient_.data()});
  generator_.learn(batch.vectors, gradient_.data());
  report_.entropy += std::accumulate(entropies_.begin(), entropies_.begin() + n, 0.0);
  report_.reward += value.reward;
  report_.anchors += static_cast<double>(n);
}

}  // namespace acevec
