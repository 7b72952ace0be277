#include "vectors/next_items.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "kernels/activations.h"
#include "kernels/bags.h"
#include "math/aligned.h"
#include "math/large_products.h"

namespace acevec {
namespace {

constexpr int64_t kContextsAtOnce = 64;  // of the contexts
constexpr double kLeastWeight = 1e-9;    // of an item; less changes no float

// A history as a bag of rows of the table of scores.
struct Bag {
  std::vector<int64_t> places;
  std::vector<float> weights;
};

// Histories share their items: each item is scored once.
struct Bags {
  std::vector<int64_t> items;  // the different ones
  std::vector<Bag> bags;
};

// Those of the last items, the last one's first; they sum to 1.
std::vector<float> falling_weights(size_t most, double decay) {
  std::vector<double> weights;
  double sum = 0;
  for (double w = 1; weights.size() < most && w >= kLeastWeight; w *= decay) {
    weights.push_back(w);
    sum += w;
  }
  for (double& weight : weights) weight /= sum;
  return {weights.begin(), weights.end()};
}

Bags make_bags(const std::vector<History>& histories, double decay) {
  Bags made;
  std::unordered_map<int64_t, int64_t> places;
  for (const History& history : histories) {
    Bag bag{{}, falling_weights(history.items.size(), decay)};
    for (auto item = history.items.rbegin(); bag.places.size() < bag.weights.size(); ++item) {
      const auto [place, is_new] =
          places.try_emplace(*item, std::ssize(made.items) * kContextsAtOnce);
      if (is_new) made.items.push_back(*item);
      bag.places.push_back(place->second);
    }
    made.bags.push_back(std::move(bag));
  }
  return made;
}

AlignedFloats gathered(const Matrix& vectors, const std::vector<int64_t>& items) {
  AlignedFloats rows(std::ssize(items) * vectors.stride());
  for (size_t i = 0; i < items.size(); ++i) {
    std::copy_n(vectors.row(items[i]), vectors.columns(),
                rows.data() + static_cast<int64_t>(i) * vectors.stride());
  }
  return rows;
}

void cube_positives(float* scores, int64_t count) {
  relu_rows(scores, count);
  for (int64_t i = 0; i < count; ++i) scores[i] *= scores[i] * scores[i];
}

}  // namespace

std::vector<std::vector<ScoredRow>> next_items(const Matrix& vectors, const Matrix& contexts,
                                               const std::vector<History>& histories, double decay,
                                               int64_t most, int threads) {
  const Bags made = make_bags(histories, decay);
  const AlignedFloats items = gathered(vectors, made.items);
  std::vector<BestRows> best(histories.size(), BestRows(most));
  std::atomic<int64_t> next{0};
  std::mutex mutex;
  in_parallel(threads, [&](int) {
    std::vector<BestRows> own(histories.size(), BestRows(most));
    const int64_t room = std::ssize(made.items) * kContextsAtOnce;
    AlignedFloats scores(room);
    AlignedFloats means(kContextsAtOnce);
    for (int64_t first; (first = next.fetch_add(kContextsAtOnce)) < contexts.rows();) {
      const int64_t count = std::min(kContextsAtOnce, contexts.rows() - first);
      score_tables({items.data(), std::ssize(made.items)}, {contexts.row(first), count},
                   vectors.stride(), {scores.data(), kContextsAtOnce});
      cube_positives(scores.data(), room);
      for (size_t h = 0; h < histories.size(); ++h) {
        const Bag& bag = made.bags[h];
        sum_bag({bag.places.data(), std::ssize(bag.places), kContextsAtOnce}, scores.data(),
                bag.weights.data(), means.data());
        own[h].offer(means.data(), first, count, histories[h].left_out);
      }
    }
    const std::lock_guard lock(mutex);
    for (size_t h = 0; h < own.size(); ++h) best[h].offer(own[h]);
  });
  std::vector<std::vector<ScoredRow>> answers;
  answers.reserve(best.size());
  for (BestRows& rows : best) {
    answers.push_back(std::move(rows).sorted());
    for (ScoredRow& row : answers.back()) row.score = std::cbrt(row.score);
  }
  return answers;
}

}  // namespace acevec
