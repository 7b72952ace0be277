#include "tasks/order/evaluation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/parallel.h"

namespace acevec {
namespace {

// Mean over the true ones, best first, of the share of true ones among all that rank as high.
// `penalties` of the true, and of the false in increasing order.
double average_precision(std::vector<float>& truths, const std::vector<float>& falses) {
  std::sort(truths.begin(), truths.end());
  double sum = 0;
  for (size_t i = 0; i < truths.size(); ++i) {
    const auto before = std::upper_bound(falses.begin(), falses.end(), truths[i]) - falses.begin();
    sum += static_cast<double>(i + 1) / static_cast<double>(i + 1 + static_cast<size_t>(before));
  }
  return sum / static_cast<double>(truths.size());
}

// One concept's two average precisions. `held_out` is sorted.
std::pair<double, double> rank_one(const Embedding& vectors, int32_t x,
                                   std::span<const int32_t> generals,
                                   const std::vector<int32_t>& held_out) {
  std::vector<float> truths, held, falses;
  auto next = generals.begin();
  for (int32_t y = 0; y < vectors.vectors().rows(); ++y) {
    if (y == x) continue;
    const float penalty = vectors.penalty({x, y});
    if (next == generals.end() || *next != y) {
      falses.push_back(penalty);
      continue;
    }
    ++next;
    truths.push_back(penalty);
    if (std::binary_search(held_out.begin(), held_out.end(), y)) held.push_back(penalty);
  }
  // Only the false ones that come before some true one matter.
  const float last = *std::max_element(truths.begin(), truths.end());
  std::erase_if(falses, [last](float penalty) { return penalty > last; });
  std::sort(falses.begin(), falses.end());
  return {average_precision(truths, falses), average_precision(held, falses)};
}

}  // namespace

std::vector<float> pair_penalties(const Embedding& vectors, const std::vector<OrderPair>& pairs) {
  std::vector<float> penalties;
  penalties.reserve(pairs.size());
  for (const OrderPair& pair : pairs) {
    penalties.push_back(vectors.penalty(pair));
  }
  return penalties;
}

Threshold best_threshold(const Embedding& vectors, const LabelledPairs& pairs) {
  std::vector<std::pair<float, bool>> labelled;
  labelled.reserve(pairs.positives.size() + pairs.negatives.size());
  for (const float penalty : pair_penalties(vectors, pairs.positives)) {
    labelled.emplace_back(penalty, true);
  }
  for (const float penalty : pair_penalties(vectors, pairs.negatives)) {
    labelled.emplace_back(penalty, false);
  }
  std::sort(labelled.begin(), labelled.end());
  auto right = static_cast<int64_t>(pairs.negatives.size());  // when nothing is held to be true
  int64_t best_right = -1;
  float best = 0;
  for (size_t i = 0; i < labelled.size(); ++i) {
    right += labelled[i].second ? 1 : -1;
    const bool last = i + 1 == labelled.size();
    if (!last && labelled[i + 1].first == labelled[i].first) continue;
    if (right <= best_right) continue;
    best_right = right;
    best = last ? 2 * labelled[i].first : (labelled[i].first + labelled[i + 1].first) / 2;
  }
  return {std::max(best, std::numeric_limits<float>::min()),
          labelled.empty()
              ? 0
              : static_cast<double>(best_right) / static_cast<double>(labelled.size())};
}

double accuracy(const Embedding& vectors, const LabelledPairs& pairs, float threshold) {
  const auto held_true = [threshold](float penalty) { return penalty <= threshold; };
  const std::vector<float> positives = pair_penalties(vectors, pairs.positives);
  const std::vector<float> negatives = pair_penalties(vectors, pairs.negatives);
  const int64_t right = std::count_if(positives.begin(), positives.end(), held_true) +
                        static_cast<int64_t>(negatives.size()) -
                        std::count_if(negatives.begin(), negatives.end(), held_true);
  const size_t all = positives.size() + negatives.size();
  return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all);
}

RankingScore rank_generals(const Embedding& vectors, const ExactPairs& generals,
                           const std::vector<OrderPair>& held_out, int64_t most, int threads) {
  std::vector<int32_t> concepts;
  std::vector<std::vector<int32_t>> held_of(static_cast<size_t>(vectors.vectors().rows()));
  for (const OrderPair& pair : held_out) {
    std::vector<int32_t>& held = held_of[static_cast<size_t>(pair.specific)];
    if (held.empty() && static_cast<int64_t>(concepts.size()) < most) {
      concepts.push_back(pair.specific);
    }
    held.insert(std::lower_bound(held.begin(), held.end(), pair.general), pair.general);
  }
  std::vector<std::pair<double, double>> scores(concepts.size());
  for_each_piece(threads, static_cast<int64_t>(concepts.size()), [&](int, int64_t piece) {
    const auto i = static_cast<size_t>(piece);
    const int32_t x = concepts[i];
    scores[i] = rank_one(vectors, x, generals.outcomes(x), held_of[static_cast<size_t>(x)]);
  });
  RankingScore mean;
  mean.concepts = static_cast<int64_t>(concepts.size());
  for (const auto& [all, held] : scores) {
    mean.all += all / static_cast<double>(mean.concepts);
    mean.held_out += held / static_cast<double>(mean.concepts);
  }
  return mean;
}

}  // namespace acevec
