#include "ace/full_softmax.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

// Rows that a thread takes together: few, since a row may have all of a graph's entities.
constexpr int64_t kRows = 4;

// With a team nothing is copied: see Generator.
int64_t block_of(int threads) {
  return threads == DenseLayer::kShared ? FullSoftmax::kBlock : 0;
}

}  // namespace

FullSoftmax::FullSoftmax(GeneratorParameters& parameters, int64_t most_rows, int threads)
    : generator_(parameters, most_rows, block_of(threads), threads),
      outcomes_(parameters.settings.outcomes),
      threads_(threads),
      g_(static_cast<size_t>(most_rows * outcomes_)),
      gradient_(g_.size()),
      entropies_(static_cast<size_t>(most_rows)) {}

void FullSoftmax::compute(const float* features, int64_t rows, const float* prior, float beta) {
  rows_ = rows;
  const float* const h = generator_.hidden(features, rows);
  generator_.logits(h, rows, {nullptr, outcomes_}, prior, beta, g_.data());
  in_blocks(threads_, rows, kRows, [&](int64_t begin, int64_t end) {
    float* const g = g_.data() + begin * outcomes_;
    softmax_rows(g, 1, {nullptr, end - begin, outcomes_}, g, entropies_.data() + begin);
  });
}

double FullSoftmax::leave_out(const uint8_t* observed) {
  return static_cast<double>(rows_) -
         sum_in_blocks(threads_, rows_, kRows, [&](int64_t begin, int64_t end) {
           return leave_out_observed(observed + begin * outcomes_, end - begin, outcomes_,
                                     g_.data() + begin * outcomes_);
         });
}

void FullSoftmax::learn(const PolicySettings& policy, const FullTurn& turn) {
  const float floor = entropy_of_choices(policy.entropy_floor);
  in_blocks(threads_, rows_, kRows, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * outcomes_, rows = end - begin;
    if (policy.estimator == PolicySettings::Estimator::kExact) {
      expected_reward_gradient(g_.data() + first, turn.rewards + first, rows, outcomes_,
                               gradient_.data() + first);
    } else {
      for (int64_t i = begin; i < end; ++i) sum_draws(policy, turn, i);
    }
    add_entropy_floor_gradient(g_.data() + first, entropies_.data() + begin, floor, rows, outcomes_,
                               gradient_.data() + first);
  });
  generator_.learn(turn.features, gradient_.data());
}

// The row's gradient becomes Σ over draws of weight · (δ − g): the part with g once for all.
void FullSoftmax::sum_draws(const PolicySettings& policy, const FullTurn& turn, int64_t row) {
  const float* const g = probabilities(row);
  const float* const rewards = turn.rewards + row * outcomes_;
  float* const gradient = gradient_.data() + row * outcomes_;
  const float baseline = baseline_of(policy, g, rewards, outcomes_);
  float sum = 0;
  const auto add = [&](int32_t y, float importance) {
    const float weight = importance * (rewards[y] - baseline) / static_cast<float>(turn.count);
    gradient[y] += weight;
    sum += weight;
  };
  std::fill_n(gradient, outcomes_, 0.0F);
  for (int64_t j = row * turn.count; j < (row + 1) * turn.count; ++j) {
    if (turn.drawn[j] >= 0) add(turn.drawn[j], 1);
  }
  if (policy.estimator == PolicySettings::Estimator::kOffPolicy) {
    for (int64_t j = row * turn.count; j < (row + 1) * turn.count; ++j) {
      const int32_t y = turn.noise[j];
      const float importance = g[y] / static_cast<float>(turn.noise_probabilities[y]);
      add(y, std::min(importance, kMaxImportanceWeight));
    }
  }
  for (int64_t y = 0; y < outcomes_; ++y) gradient[y] -= sum * g[y];
}

}  // namespace acevec
