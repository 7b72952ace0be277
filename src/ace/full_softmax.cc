#include "ace/full_softmax.h"

#include <algorithm>
#include <numeric>

#include "ace/policy.h"
#include "kernels/policy_kernels.h"

namespace acevec {

FullSoftmax::FullSoftmax(GeneratorParameters& parameters, int64_t most_rows)
    : generator_(parameters, most_rows, kBlock),
      all_(static_cast<size_t>(parameters.settings.outcomes)),
      g_(static_cast<size_t>(most_rows) * all_.size()),
      gradient_(g_.size()),
      entropies_(static_cast<size_t>(most_rows)) {
  std::iota(all_.begin(), all_.end(), 0);
}

int64_t FullSoftmax::bytes(const GeneratorSettings& settings, int64_t most_rows) {
  return Generator::bytes(settings, most_rows, kBlock) +
         (settings.outcomes * (2 * most_rows + 1) + most_rows) *
             static_cast<int64_t>(sizeof(float));
}

void FullSoftmax::compute(const float* features, int64_t rows, const float* prior, float beta) {
  rows_ = rows;
  const float* const h = generator_.hidden(features, rows);
  generator_.logits(h, rows, {all_.data(), outcomes()}, prior, beta, g_.data());
  softmax_rows(g_.data(), 1, {nullptr, rows, outcomes()}, g_.data(), entropies_.data());
}

double FullSoftmax::leave_out(const uint8_t* observed) {
  return static_cast<double>(rows_) - leave_out_observed(observed, rows_, outcomes(), g_.data());
}

void FullSoftmax::learn(const float* features, const int32_t* drawn, const float* weights,
                        int64_t count, double entropy_floor) {
  std::fill_n(gradient_.begin(), static_cast<size_t>(rows_) * all_.size(), 0.0F);
  for (int64_t i = 0; i < rows_; ++i) {
    float* const gradient = gradient_.data() + i * outcomes();
    // Σ over draws of weight · (δ − g): the part with g once for all of them.
    float sum = 0;
    for (int64_t j = i * count; j < (i + 1) * count; ++j) {
      if (drawn[j] < 0) continue;
      const float weight = weights[j] / static_cast<float>(count);
      gradient[drawn[j]] += weight;
      sum += weight;
    }
    const float* const g = probabilities(i);
    for (int64_t y = 0; y < outcomes(); ++y) gradient[y] -= sum * g[y];
  }
  climb(features, entropy_floor);
}

double FullSoftmax::learn_exactly(const float* features, const float* rewards,
                                  double entropy_floor) {
  const double reward =
      expected_reward_gradient(g_.data(), rewards, rows_, outcomes(), gradient_.data());
  climb(features, entropy_floor);
  return reward;
}

void FullSoftmax::climb(const float* features, double entropy_floor) {
  add_entropy_floor_gradient(g_.data(), entropies_.data(), entropy_of_choices(entropy_floor), rows_,
                             outcomes(), gradient_.data());
  generator_.learn(features, gradient_.data());
}

}  // namespace acevec
