#include "tasks/kg/steps.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/parallel.h"
#include "kernels/hogwild.h"

namespace acevec {
namespace {

// The most true and false triples in a step.
int64_t most_pairs(const KgSettings& settings) {
  return settings.batch * (1 + settings.noises() + (settings.adversary ? 1 : 0));
}

}  // namespace

KgSteps::KgSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
                 const KgSettings& settings)
    : model_(model),
      score_(dynamic_cast<const PairScore&>(*model.score)),
      settings_(settings),
      rows_({{model.entities, entity_moments}, {model.relations, relation_moments}},
            settings.optimizer, kParts * most_pairs(settings), settings.threads),
      negatives_(static_cast<size_t>(most_pairs(settings) - settings.batch)),
      triples_(static_cast<size_t>(most_pairs(settings))),
      slopes_(most_pairs(settings) * score_.slope_width()),
      scales_(triples_.size()),
      occurrences_(kParts * triples_.size()) {}

Sums KgSteps::step(int64_t number, float rate, std::span<const Triple> positives, Random& random,
                   const Fill& fill) {
  constexpr int64_t kTriplesPerBlock = 32;  // true triples that a thread takes at once
  positives_ = positives;
  const auto fill_and_measure = [&](int64_t begin, int64_t end, Random& own) {
    for (int64_t i = begin; i < end; ++i) fill(i, own, negatives(i));
    return compute_losses(begin, end);
  };
  Sums sums = sum_in_random_blocks(settings_.threads, std::ssize(positives), kTriplesPerBlock,
                                   random, fill_and_measure);
  rows_.group(occurrences_.data(), kParts * std::ssize(positives) * (1 + places()));
  rows_.accumulate([&](int64_t occurrence, float* gradient) {
    const auto pair = static_cast<size_t>(occurrence / kParts);
    score_.add_gradient(static_cast<Part>(occurrence % kParts), rows(triples_[pair]),
                        slopes(static_cast<int64_t>(pair)), scales_[pair], gradient);
  });
  rows_.step(number, rate, [&](const float* row, float* change) { limit_norm(row, change); });
  sums.loss = sums.means[sums.means[0].count > 0 ? 0 : 1];
  return sums;
}

// A pair's triple takes part in the step only if the scale of its gradient is not 0.
void KgSteps::set_scale(int64_t pair, float scale) {
  scales_[static_cast<size_t>(pair)] = scale;
  const Triple& triple = triples_[static_cast<size_t>(pair)];
  const auto entities = static_cast<int32_t>(model_.entities.rows());
  int32_t* const rows = occurrences_.data() + kParts * pair;
  rows[0] = scale == 0 ? -1 : triple.head;
  rows[1] = scale == 0 ? -1 : entities + triple.relation;
  rows[2] = scale == 0 ? -1 : triple.tail;
}

void KgSteps::prefetch(int64_t i) {
  const Triple& positive = positives_[static_cast<size_t>(i)];
  prefetch_rows(model_.entities, &positive.head, 1);
  prefetch_rows(model_.entities, &positive.tail, 1);
  for (const Negative& negative : negatives(i)) {
    if (negative.entity >= 0) prefetch_rows(model_.entities, &negative.entity, 1);
  }
}

Sums KgSteps::compute_losses(int64_t begin, int64_t end) {
  constexpr int64_t kTriplesAhead = 4;
  Sums sums{{}, std::vector<Mean>(2)};
  int64_t next = begin;
  for (int64_t i = begin; i < end; ++i) {
    for (; next < std::min(i + kTriplesAhead, end); ++next) prefetch(next);
    const Triple& positive = positives_[static_cast<size_t>(i)];
    const float true_distance = measure(i, positive);
    float true_scale = 0;
    int64_t pair = std::ssize(positives_) + i * places();
    for (int64_t k = 0; k < places(); ++k, ++pair) {
      const Negative& negative = negatives_[static_cast<size_t>(i * places() + k)];
      if (negative.entity < 0) {
        set_scale(pair, 0);
        continue;
      }
      const float distance = measure(pair, replaced(positive, negative.side, negative.entity));
      const PairLoss part = pair_loss(settings_.loss, settings_.margin, true_distance, distance);
      sums.means[k < noises() ? 0 : 1] += Mean{double{part.value}, 1};
      const bool counts = part.value > 0;
      set_scale(pair, counts ? negative.weight * part.by_false : 0);
      if (counts) true_scale += negative.weight * part.by_true;
    }
    set_scale(i, true_scale);
  }
  return sums;
}

// Limits `change` so that the vector at the beginning of the row gets at most the maximum norm.
void KgSteps::limit_norm(const float* row, float* change) const {
  const float most = settings_.max_norm;
  if (most <= 0) return;
  const int64_t size = score_.size();
  float sums[kRowPadding] = {};  // independent lanes, so that the compiler can vectorise
  for (int64_t k = 0; k < padded(size); k += kRowPadding) {
    for (int64_t lane = 0; lane < kRowPadding; ++lane) {
      const float value = row[k + lane] + change[k + lane];
      sums[lane] += value * value;
    }
  }
  const float square = std::accumulate(std::begin(sums), std::end(sums), 0.0F);
  if (square <= most * most) return;
  const float scale = most / std::sqrt(square);
  for (int64_t k = 0; k < size; ++k) change[k] = scale * (row[k] + change[k]) - row[k];
}

}  // namespace acevec
