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

constexpr int64_t kAnswersAtOnce = 96;  // scored together; fills the registers of every machine
constexpr int64_t kItemsAtOnce = 64;  // their scores of kAnswersAtOnce answers stay in the L1 cache
constexpr float kAlike = 0.25F;       // weight of an answer's own vector beside its context
constexpr double kLeastWeight = 1e-9;  // smaller weights change no float
constexpr double kTie = 1e-5;  // scores that differ by less are equal, because sums are rounded

// A history as a bag of rows of the score table.
struct Bag {
  std::vector<int32_t> places;
  std::vector<float> weights;
};

// Histories share items; each distinct item is scored once.
struct Bags {
  std::vector<int64_t> items;  // distinct items
  std::vector<Bag> bags;
};

// Returns the weights of the last items, the last one's first; they sum to 1.
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

// One thread's work: scores a few answers at a time, for all histories.
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

  // Scores answers first .. first + count − 1 for all items, which are rows of `items`.
  void score(const float* items, int64_t first, int64_t count) {
    first_ = first;
    count_ = count;
    for (int64_t i = 0; i < count_; ++i) {
      float* const answer = answers_.data() + i * vectors_.stride();
      std::copy_n(contexts_.row(first + i), vectors_.stride(), answer);
      add_scaled(vectors_.row(first + i), kAlike, vectors_.stride(), answer);
    }
    transpose_rows(answers_.data(), kAnswersAtOnce, {vectors_.columns(), vectors_.stride()},
                   columns_.data());
    for (int64_t i = 0; i < std::ssize(bags_.items); i += kItemsAtOnce) {
      const int64_t some = std::min(kItemsAtOnce, std::ssize(bags_.items) - i);
      float* const scores = scores_.data() + i * kAnswersAtOnce;
      mix_rows({items + i * vectors_.stride(), vectors_.stride(), 1}, some,
               {columns_.data(), vectors_.columns()}, kAnswersAtOnce, scores, false);
      cube_positives(scores, some * kAnswersAtOnce);
    }
  }

  // Offers the scores of the answers to a history, except those in `left_out`.
  template <class Answer>
  void offer(size_t history, const History& left_out, Answer& answer) {
    const Bag& bag = bags_.bags[history];
    sum_bag({bag.places.data(), std::ssize(bag.places), kAnswersAtOnce}, scores_.data(),
            bag.weights.data(), means_.data());
    answer.offer(means_.data(), first_, count_, left_out);
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

// Offers the scores of all items for each history to that history's element of `answers`.
template <class Answer>
void offer_items(const Matrix& vectors, const Matrix& contexts, const Bags& made,
                 const std::vector<History>& left_out, int threads, std::vector<Answer>& answers) {
  const AlignedFloats items = gathered(vectors, std::ssize(made.items), [&](int64_t i) {
    return vectors.row(made.items[static_cast<size_t>(i)]);
  });
  offer_in_parallel(threads, contexts.rows(), kAnswersAtOnce, answers, [&] {
    return [&, part = Part(vectors, contexts, made)](int64_t first, int64_t count,
                                                     std::vector<Answer>& own) mutable {
      part.score(items.data(), first, count);
      for (size_t h = 0; h < own.size(); ++h) part.offer(h, left_out[h], own[h]);
    };
  });
}

// Counts the items ranked before an answer, and those equal to it.
class RankCount {
 public:
  explicit RankCount(double score)
      : low_(static_cast<float>(score * (1 - kTie))),
        high_(static_cast<float>(score * (1 + kTie))) {}

  // `left_out` has distinct rows in ascending order.
  void offer(const float* scores, int64_t first, int64_t count, const History& left_out) {
    for (int64_t i = 0; i < count; ++i) add(scores[i], 1);
    for (auto row = std::ranges::lower_bound(left_out, first);
         row != left_out.end() && *row < first + count; ++row) {
      add(scores[*row - first], -1);
    }
  }

  void offer(const RankCount& others) {
    above_ += others.above_;
    from_low_ += others.from_low_;
  }

  double rank() const { return static_cast<double>(above_ + from_low_) / 2; }

 private:
  void add(float score, int64_t times) {
    above_ += score > high_ ? times : 0;
    from_low_ += score >= low_ ? times : 0;
  }

  float low_;
  float high_;
  int64_t above_ = 0;
  int64_t from_low_ = 0;  // includes those above
};

// Returns the cube of an answer's score.
double cubes_of(const Matrix& vectors, const Matrix& contexts, const History& history,
                const std::vector<float>& weights, int64_t answer) {
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const float* const item = vectors.row(history[history.size() - 1 - i]);
    const double product = dot(item, contexts.row(answer), vectors.columns()) +
                           double{kAlike} * dot(item, vectors.row(answer), vectors.columns());
    if (product > 0) sum += double{weights[i]} * product * product * product;
  }
  return sum;
}

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
  std::vector<BestRows> best(histories.size(), BestRows(settings.most));
  offer_items(vectors, contexts, make_bags(histories, settings.decay),
              settings.seen ? std::vector<History>(histories.size()) : histories, threads, best);
  std::vector<std::vector<ScoredRow>> answers;
  for (BestRows& rows : best) {
    answers.push_back(std::move(rows).sorted());
    for (ScoredRow& row : answers.back()) {
      row.score = double{std::cbrt(static_cast<float>(row.score))};
    }
  }
  return answers;
}

std::vector<double> next_ranks(const Matrix& vectors, const Matrix& contexts,
                               const std::vector<History>& histories,
                               const std::vector<int64_t>& answers, const NextSettings& settings,
                               int threads) {
  const Bags made = make_bags(histories, settings.decay);
  std::vector<RankCount> counts(histories.size(), RankCount(0));
  std::vector<History> left_out(histories.size());
  for_each_piece(threads, std::ssize(histories), [&](int, int64_t piece) {
    const auto h = static_cast<size_t>(piece);
    counts[h] =
        RankCount(cubes_of(vectors, contexts, histories[h], made.bags[h].weights, answers[h]));
    History& out = left_out[h];
    if (!settings.seen) out = histories[h];
    out.push_back(answers[h]);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
  });
  offer_items(vectors, contexts, made, left_out, threads, counts);
  std::vector<double> ranks;
  ranks.reserve(counts.size());
  for (const RankCount& count : counts) ranks.push_back(count.rank());
  return ranks;
}

}  // namespace acevec
