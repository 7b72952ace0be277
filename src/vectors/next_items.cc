#include "vectors/next_items.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "kernels/activations.h"
#include "kernels/bags.h"
#include "kernels/products.h"
#include "math/aligned.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

constexpr int64_t kAnswersAtOnce = 96;  // scored with an item; fills the registers of every machine
constexpr int64_t kItemsAtOnce = 64;    // scores of these and those stay in the first cache
constexpr float kAlike = 0.25F;         // the weight of an answer's own vector beside its context
constexpr double kLeastWeight = 1e-9;   // an item with less changes no float

// A history as a bag of rows of the table of scores.
struct Bag {
  std::vector<int32_t> places;
  std::vector<float> weights;
};

// Histories share items, each of which is scored once.
struct Bags {
  std::vector<int64_t> items;  // the different ones
  std::vector<Bag> bags;
};

// The weights of the last items, the last one's first; they sum to 1.
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
  std::unordered_map<int64_t, int32_t> places;
  for (const History& history : histories) {
    Bag bag{{}, falling_weights(history.size(), decay)};
    for (auto item = history.rbegin(); bag.places.size() < bag.weights.size(); ++item) {
      const auto [place, is_new] =
          places.try_emplace(*item, static_cast<int32_t>(made.items.size()));
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

double maximum_norm(const Matrix& rows) {
  double squares = 0;
  for (int64_t i = 0; i < rows.rows(); ++i) {
    squares = std::max(squares, dot(rows.row(i), rows.row(i), rows.columns()));
  }
  return std::sqrt(squares);
}

// The work of a thread: some answers at a time, for all histories.
class Part {
 public:
  Part(const Matrix& vectors, const Matrix& contexts, const Bags& bags)
      : vectors_(vectors),
        contexts_(contexts),
        bags_(bags),
        answers_(kAnswersAtOnce * vectors.stride()),
        columns_(kAnswersAtOnce * vectors.columns()),
        scores_(std::ssize(bags.items) * kAnswersAtOnce),
        means_(kAnswersAtOnce) {}

  // Takes the answers of these rows, which the next functions score and offer.
  void take(int64_t first, int64_t count) {
    first_ = first;
    count_ = count;
    for (int64_t i = 0; i < count_; ++i) {
      float* const answer = answers_.data() + i * vectors_.stride();
      std::copy_n(contexts_.row(first + i), vectors_.stride(), answer);
      add_scaled(vectors_.row(first + i), kAlike, vectors_.stride(), answer);
    }
    transpose_rows(answers_.data(), kAnswersAtOnce, {vectors_.columns(), vectors_.stride()},
                   columns_.data());
  }

  // Scores all items, which are rows of `items`.
  void score(const float* items) {
    for (int64_t i = 0; i < std::ssize(bags_.items); i += kItemsAtOnce) {
      const int64_t some = std::min(kItemsAtOnce, std::ssize(bags_.items) - i);
      float* const scores = scores_.data() + i * kAnswersAtOnce;
      mix_rows({items + i * vectors_.stride(), vectors_.stride(), 1}, some,
               {columns_.data(), vectors_.columns()}, kAnswersAtOnce, scores, false);
      cube_positives(scores, some * kAnswersAtOnce);
    }
  }

  void offer(size_t history, const History& left_out, BestRows& best) {
    const Bag& bag = bags_.bags[history];
    sum_bag({bag.places.data(), std::ssize(bag.places), kAnswersAtOnce}, scores_.data(),
            bag.weights.data(), means_.data());
    best.offer(means_.data(), first_, count_, left_out);
  }

 private:
  const Matrix& vectors_;
  const Matrix& contexts_;
  const Bags& bags_;
  AlignedFloats answers_;
  AlignedFloats columns_;  // the answers, transposed
  AlignedFloats scores_;   // items × answers
  AlignedFloats means_;
  int64_t first_ = 0;
  int64_t count_ = 0;
};

}  // namespace

void require_scorable(const Matrix& vectors, const Matrix& contexts) {
  const double most = std::cbrt(double{std::numeric_limits<float>::max()});
  const double norm = maximum_norm(vectors);
  if (norm * (maximum_norm(contexts) + double{kAlike} * norm) < most) return;
  throw Error(
      "the vectors have numbers that are too large to multiply; give vectors of a training");
}

std::vector<std::vector<ScoredRow>> next_items(const Matrix& vectors, const Matrix& contexts,
                                               const std::vector<History>& histories,
                                               const NextSettings& settings, int threads) {
  const Bags made = make_bags(histories, settings.decay);
  const AlignedFloats items = gathered(vectors, made.items);
  std::vector<BestRows> best(histories.size(), BestRows(settings.most));
  const History none;
  offer_in_parallel(threads, contexts.rows(), kAnswersAtOnce, best, [&] {
    return [&, part = Part(vectors, contexts, made)](int64_t first, int64_t count,
                                                     std::vector<BestRows>& own) mutable {
      part.take(first, count);
      part.score(items.data());
      for (size_t h = 0; h < own.size(); ++h) {
        part.offer(h, settings.seen ? none : histories[h], own[h]);
      }
    };
  });
  std::vector<std::vector<ScoredRow>> answers;
  answers.reserve(best.size());
  for (BestRows& rows : best) {
    answers.push_back(std::move(rows).sorted());
    for (ScoredRow& row : answers.back()) {
      row.score = double{std::cbrt(static_cast<float>(row.score))};
    }
  }
  return answers;
}

}  // namespace acevec
