#include "tasks/order/evaluation.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "math/threshold.h"

namespace acevec {
namespace {

// The mean over the true items, best first, of the precision at their ranks. Takes penalties of the
// true items, and of the false ones in increasing order.
double average_precision(std::vector<float>& positives, const std::vector<float>& negatives) {
  std::sort(positives.begin(), positives.end());
  double sum = 0;
  for (size_t i = 0; i < positives.size(); ++i) {
    const auto before =
        std::upper_bound(negatives.begin(), negatives.end(), positives[i]) - negatives.begin();
    sum += static_cast<double>(i + 1) / static_cast<double>(i + 1 + static_cast<size_t>(before));
  }
  return sum / static_cast<double>(positives.size());
}

// A concept's average precisions: of all generals, and of held-out ones.
std::pair<double, double> rank_one(const Embedding& embedding, int32_t x,
                                   const ExactPairs& generals, const ExactPairs& held_out) {
  std::vector<float> positives, held_out_positives, negatives;
  const std::span<const int32_t> above = generals.outcomes(x);
  auto next = above.begin();
  for (int32_t y = 0; y < embedding.vectors.rows(); ++y) {
    if (y == x) continue;
    const float penalty = embedding.penalty({x, y});
    if (next == above.end() || *next != y) {
      negatives.push_back(penalty);
      continue;
    }
    ++next;
    positives.push_back(penalty);
    if (held_out.contains(x, y)) held_out_positives.push_back(penalty);
  }
  // Only false items that precede some true one matter.
  const float last = *std::max_element(positives.begin(), positives.end());
  std::erase_if(negatives, [last](float penalty) { return penalty > last; });
  std::sort(negatives.begin(), negatives.end());
  return {average_precision(positives, negatives),
          average_precision(held_out_positives, negatives)};
}

std::vector<LabelledValue> penalties_of(const Embedding& embedding, const LabelledPairs& pairs) {
  std::vector<LabelledValue> labelled;
  labelled.reserve(pairs.positives.size() + pairs.negatives.size());
  for (const OrderPair& pair : pairs.positives)
    labelled.emplace_back(embedding.penalty(pair), true);
  for (const OrderPair& pair : pairs.negatives)
    labelled.emplace_back(embedding.penalty(pair), false);
  return labelled;
}

// 0 if `all` is 0.
double share(int64_t some, size_t all) {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

}  // namespace

Threshold best_threshold(const Embedding& embedding, const LabelledPairs& pairs) {
  std::vector<LabelledValue> labelled = penalties_of(embedding, pairs);
  std::sort(labelled.begin(), labelled.end());
  if (labelled.empty()) return {std::numeric_limits<float>::min(), 0};
  const auto [below, gain] = best_threshold_place(labelled, false);
  const float last = labelled[below - 1].first;
  const float best =
      below == labelled.size() ? 2 * last : std::midpoint(last, labelled[below].first);
  return {std::max(best, std::numeric_limits<float>::min()),
          share(std::ssize(pairs.negatives) + gain, labelled.size())};
}

double accuracy(const Embedding& embedding, const LabelledPairs& pairs, float threshold) {
  const std::vector<LabelledValue> labelled = penalties_of(embedding, pairs);
  const auto right = std::count_if(labelled.begin(), labelled.end(), [&](const LabelledValue& one) {
    return (one.first <= threshold) == one.second;
  });
  return share(right, labelled.size());
}

RankingScore rank_generals(const Embedding& embedding, const ExactPairs& generals,
                           const std::vector<OrderPair>& held_out, int64_t most, int threads) {
  const int64_t rows = embedding.vectors.rows();
  std::vector<int32_t> concepts;
  std::vector<bool> is_new(static_cast<size_t>(rows), true);
  for (const OrderPair& pair : held_out) {
    if (!is_new[static_cast<size_t>(pair.specific)] || std::ssize(concepts) == most) continue;
    is_new[static_cast<size_t>(pair.specific)] = false;
    concepts.push_back(pair.specific);
  }
  const ExactPairs held_of = generals_of(rows, held_out);
  std::vector<std::pair<double, double>> scores(concepts.size());
  for_each_piece(threads, std::ssize(concepts), [&](int, int64_t piece) {
    const auto i = static_cast<size_t>(piece);
    scores[i] = rank_one(embedding, concepts[i], generals, held_of);
  });
  RankingScore mean;
  mean.concepts = std::ssize(concepts);
  for (const auto& [all, of_held_out] : scores) {
    mean.all += all / static_cast<double>(mean.concepts);
    mean.held_out += of_held_out / static_cast<double>(mean.concepts);
  }
  return mean;
}

}  // namespace acevec
