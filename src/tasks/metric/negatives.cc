#include "tasks/metric/negatives.h"

#include <cmath>
#include <numeric>
#include <span>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/policy_kernels.h"
#include "kernels/products.h"
#include "math/table_products.h"

namespace acevec {
namespace {

using Key = std::pair<bool, float>;  // mined negatives are chosen in increasing order of keys

Key key_of(NegativeKind kind, float distance, float positive) {
  if (kind == NegativeKind::kUncertain) return {false, std::abs(distance - positive)};
  const bool nearer = kind == NegativeKind::kSemiHard && distance <= positive;
  return {nearer, nearer ? -distance : distance};
}

// Sets same[j] to 1 if row j is of the class of `anchor`, else to 0.
void mark_same_class(const BatchDistances& batch, int64_t anchor, uint8_t* same) {
  const int32_t own = batch.classes[anchor];
  for (int64_t j = 0; j < batch.rows; ++j) same[j] = batch.classes[j] == own ? 1 : 0;
}

// Selects the best by a rule.
void mine(NegativeKind kind, int64_t count, const BatchDistances& batch, int64_t anchor,
          const std::vector<uint8_t>& same, int32_t* chosen) {
  const float* const squares = batch.squares + anchor * batch.rows;
  std::vector<std::pair<Key, int32_t>> candidates;
  candidates.reserve(same.size());
  for (int64_t j = 0; j < batch.rows; ++j) {
    if (same[static_cast<size_t>(j)] != 0) continue;
    candidates.emplace_back(key_of(kind, squares[j], squares[batch.positives[anchor]]),
                            static_cast<int32_t>(j));
  }
  const int64_t some = std::min(count, std::ssize(candidates));
  std::partial_sort(candidates.begin(), candidates.begin() + some, candidates.end());
  for (int64_t k = 0; k < some; ++k) chosen[k] = candidates[static_cast<size_t>(k)].second;
}

void draw_others(const std::vector<uint8_t>& same, int64_t count, Random& random, int32_t* chosen) {
  std::vector<int32_t> others;
  others.reserve(same.size());
  for (size_t j = 0; j < same.size(); ++j) {
    if (same[j] == 0) others.push_back(static_cast<int32_t>(j));
  }
  if (others.empty()) return;
  for (int64_t k = 0; k < count; ++k) {
    chosen[k] = others[random.below(static_cast<uint32_t>(others.size()))];
  }
}

constexpr PolicySettings kPolicy{.penalty = 1};
constexpr int64_t kUnits = 32;  // units of the generator's layer

// Adds an anchor's loss to `sums` as in triplet_gradient(), except for the first mean, and its
// gradient with respect to its row of squared distances to `slopes`.
void add_anchor(float margin, const float* squares, int32_t positive,
                std::span<const int32_t> negatives, float* slopes, Sums& sums) {
  const int64_t some = std::find(negatives.begin(), negatives.end(), -1) - negatives.begin();
  if (some == 0) return;
  const float near = squares[positive];
  const auto share = 1 / static_cast<float>(some);
  double far = 0, active = 0;
  for (int64_t k = 0; k < some; ++k) {
    const int32_t j = negatives[static_cast<size_t>(k)];
    far += double{squares[j]};
    const float loss = triplet_loss(margin, near, squares[j]);
    if (!(loss > 0)) continue;
    ++active;
    sums.loss.sum += double{share} * double{loss};
    slopes[positive] += share;
    slopes[j] -= share;
  }
  ++sums.loss.count;
  sums.means[1] += {double{near}, 1};
  sums.means[2] += {far / static_cast<double>(some), 1};
  sums.means[3] += {active / static_cast<double>(some), 1};
}

// Converts an anchor's slopes to weights of vectors. With s_ij = dL/d|e_i − e_j|² summed over both
// orders: dL/de_i = 2 Σ_j s_ij (e_i − e_j).
void weigh_anchor(const float* slopes, int64_t rows, int64_t anchor, float factor, float* weights) {
  float sum = 0;
  for (int64_t j = 0; j < rows; ++j) {
    const float both = factor * (slopes[anchor * rows + j] + slopes[j * rows + anchor]);
    weights[j] = -both;
    sum += both;
  }
  weights[anchor] += sum;
}

}  // namespace

void choose_negatives(NegativeKind kind, const MetricSettings& settings,
                      const BatchDistances& batch, Anchors anchors, Random& random,
                      int32_t* chosen) {
  const int64_t count = settings.negatives;
  std::vector<uint8_t> same(static_cast<size_t>(batch.rows));
  std::vector<float> g(same.size());
  for (int64_t i = anchors.first; i < anchors.last; ++i) {
    int32_t* const own = chosen + i * count;
    std::fill_n(own, count, -1);
    mark_same_class(batch, i, same.data());
    switch (kind) {
      case NegativeKind::kCritic:
        softmax_rows(batch.squares + i * batch.rows, -settings.beta, {same.data(), 1, batch.rows},
                     g.data(), nullptr);
        draw_outcomes(g.data(), batch.rows, count, random, own);
        break;
      case NegativeKind::kUniform:
        draw_others(same, count, random, own);
        break;
      case NegativeKind::kHardest:
      case NegativeKind::kSemiHard:
      case NegativeKind::kUncertain:
        mine(kind, count, batch, i, same, own);
        break;
      case NegativeKind::kLearned:
        refuse_case("way to choose negatives");  // MetricAdversary chooses
    }
  }
}

MetricAdversary::MetricAdversary(const MetricSettings& settings, int64_t points, int64_t size)
    : settings_(settings),
      parameters_({size, {kUnits}, points, {}, settings.seed, Stream::kMetricGenerator}),
      generator_(parameters_, settings.batch, settings.batch, settings.threads),
      logits_(static_cast<size_t>(settings.batch * settings.batch)),
      gradient_(logits_.size()) {}

void MetricAdversary::choose(const BatchDistances& batch, const int32_t* points, Random& random,
                             int32_t* chosen) {
  const int64_t n = batch.rows;
  generator_.logits(generator_.hidden(batch.vectors, n), n, {points, n}, batch.squares,
                    -settings_.beta, logits_.data());
  report_ += sum_in_random_blocks(settings_.threads, n, Anchors::kPerBlock, random,
                                  [&](int64_t begin, int64_t end, Random& own) {
                                    return choose_block(batch, {begin, end}, own, chosen);
                                  });
  generator_.learn(batch.vectors, gradient_.data());
}

// Chooses negatives for the anchors, and computes the gradient of the generator's reward.
PolicyReport MetricAdversary::choose_block(const BatchDistances& batch, Anchors anchors,
                                           Random& random, int32_t* chosen) {
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
  choose_negatives(NegativeKind::kUniform, settings_, batch, anchors, random, chosen);
  for (int64_t i = 0; i < rows; ++i) {
    int32_t* const own = chosen + (anchors.first + i) * count;
    for (int64_t k = 0; k < count; ++k) {
      if (own[k] < 0 || double{random.uniform()} < settings_.lambda) continue;
      const int64_t drawn = draw_candidate(g.data() + i * n, n, random);
      if (drawn >= 0) own[k] = static_cast<int32_t>(drawn);
    }
  }
  PolicyReport report = policy_gradient(kPolicy, {same.data(), rows, n}, logits, rewards.data(),
                                        random, {g.data(), gradient_.data() + anchors.first * n});
  report.entropy = std::accumulate(entropies.begin(), entropies.end(), 0.0);
  return report;
}

Sums triplet_gradient(float margin, const BatchDistances& batch, const int32_t* negatives,
                      int64_t count, float* slopes, float* gradient, int threads) {
  const int64_t n = batch.rows;
  Sums sums = sum_in_blocks(threads, n, Anchors::kPerBlock, [&](int64_t begin, int64_t end) {
    Sums sum{{}, std::vector<Mean>(4)};
    std::fill(slopes + begin * n, slopes + end * n, 0.0F);
    for (int64_t i = begin; i < end; ++i) {
      add_anchor(margin, batch.squares + i * n, batch.positives[i],
                 {negatives + i * count, static_cast<size_t>(count)}, slopes + i * n, sum);
    }
    return sum;
  });
  sums.means[0] = sums.loss;
  const auto anchors = static_cast<float>(sums.loss.count);
  const float factor = anchors > 0 ? 2 / anchors : 0;
  in_blocks(threads, n, Anchors::kPerBlock, [&](int64_t begin, int64_t end) {
    std::vector<float> weights(static_cast<size_t>((end - begin) * n));
    for (int64_t i = begin; i < end; ++i) {
      weigh_anchor(slopes, n, i, factor, weights.data() + (i - begin) * n);
    }
    mix_rows({weights.data(), n, 1}, end - begin, {batch.vectors, n}, batch.width,
             gradient + begin * batch.width, false);
  });
  return sums;
}

void squared_distances(const float* vectors, int64_t rows, int64_t width, float* squares,
                       int threads) {
  score_tables({vectors, rows}, {vectors, rows}, width, {squares, rows}, threads);
  std::vector<float> lengths(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) lengths[static_cast<size_t>(i)] = squares[i * rows + i];
  in_blocks(threads, rows, Anchors::kPerBlock, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float length = lengths[static_cast<size_t>(i)];
      for (int64_t j = 0; j < rows; ++j) {
        float& square = squares[i * rows + j];
        square = std::max(0.0F, length + lengths[static_cast<size_t>(j)] - 2 * square);
      }
    }
  });
}

}  // namespace acevec
