#include "tasks/kg/evaluation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "math/table_products.h"

namespace acevec {
namespace {

constexpr int64_t kQueries = 64;      // asked together
constexpr int64_t kCandidates = 512;  // looked at together: what both need stays in the caches

// How many candidates stand before the true one, ties counting half.
struct Place {
  float truth = 0;
  double before = 0;           // of all candidates
  double filtered_before = 0;  // without other known ones
};

// Of one more candidate.
double share_before(float distance, float truth) {
  if (distance < truth || std::isnan(truth)) return 1;
  return distance == truth ? 0.5 : 0;
}

// Distances of what was asked to all entities: of ProductScores by matrix products with their rows,
// of others with their coordinates side by side.
class Candidates {
 public:
  explicit Candidates(const KgModel& model)
      : model_(model), products_(dynamic_cast<const ProductScore*>(model.score.get())) {
    if (products_ == nullptr) columns_.emplace(columns_of(model));
    for (int64_t i = 0; is_euclidean() && i < model.entities.rows(); ++i) {
      squares_.push_back(products_->shift(model.entities.row(i)));
    }
  }

  // Floats of a point.
  int64_t width() const { return padded(model_.score->size()); }

  // out[i · kCandidates + j]: of point i, which has its relation, to entity first + j, j < count;
  // `first` is a multiple of kRowPadding. Of one entity they do not depend on how many are asked
  // for, so that it ties with itself.
  void distances(std::span<const float> points, std::span<const float* const> relations,
                 int64_t first, int64_t count, float* out) const {
    const auto asked = std::ssize(relations);
    if (columns_) {
      for (int64_t i = 0; i < asked; ++i) {
        model_.score->distances(points.data() + i * width(), relations[static_cast<size_t>(i)],
                                *columns_, first, count, out + i * kCandidates);
      }
      return;
    }
    const int64_t fours = model_.entities.rows() < 4 ? count : count / 4 * 4;
    score_tables({points.data(), asked}, {model_.entities.row(first), fours}, width(),
                 {out, kCandidates});
    if (fours < count) score_last(points, asked, first + count, count - fours, out + fours);
    for (int64_t i = 0; i < asked; ++i) {
      float* const row = out + i * kCandidates;
      if (is_euclidean()) {
        const float* const point = points.data() + i * width();
        distances_of_products(row_product(point, point, width()), squares_.data() + first, count,
                              row, nullptr);
      } else {
        std::transform(row, row + count, row, std::negate<>());
      }
    }
  }

 private:
  bool is_euclidean() const { return products_ != nullptr && products_->is_euclidean(); }

  // Of the last one to three, by the arithmetic of four rows.
  void score_last(std::span<const float> points, int64_t asked, int64_t end, int64_t count,
                  float* out) const {
    std::vector<float> scores(static_cast<size_t>(4 * asked));
    score_tables({points.data(), asked}, {model_.entities.row(end - 4), 4}, width(),
                 {scores.data(), 4});
    for (int64_t i = 0; i < asked; ++i) {
      std::copy_n(scores.data() + 4 * i + 4 - count, count, out + i * kCandidates);
    }
  }

  const KgModel& model_;
  const ProductScore* products_;  // the model's score, if it is one
  std::vector<float> squares_;    // |t|² of entities, for Euclidean distances
  std::optional<Columns> columns_;
};

// Ranks the triples of a batch.
class Ranker {
 public:
  Ranker(const KgModel& model, const Candidates& candidates, const KnownTriples& known)
      : model_(model),
        candidates_(candidates),
        known_(known),
        points_(kQueries * candidates.width()),
        distances_(kQueries * kCandidates) {}

  // The places of one side of some triples, at most kQueries.
  void rank(std::span<const Triple> triples, Side side, Place* places) {
    ask(triples, side);
    for (size_t i = 0; i < triples.size(); ++i) {
      places[i].truth = distance(i, entity(triples[i], side));
    }
    const int64_t all = model_.entities.rows();
    for (int64_t first = 0; first < all; first += kCandidates) {
      const int64_t count = std::min(kCandidates, all - first);
      candidates_.distances({points_.data(), triples.size() * width()}, relations_, first, count,
                            distances_.data());
      for (size_t i = 0; i < triples.size(); ++i) {
        places[i].before += count_before(i, places[i].truth, count);
      }
    }
    for (size_t i = 0; i < triples.size(); ++i) {
      places[i].before -= 0.5;  // the true one ties with itself
      places[i].filtered_before = places[i].before;
      for (const int32_t answer : known_.at(side).of(triples[i])) {
        if (answer == entity(triples[i], side)) continue;
        places[i].filtered_before -= share_before(distance(i, answer), places[i].truth);
      }
    }
  }

 private:
  size_t width() const { return static_cast<size_t>(candidates_.width()); }

  // Fills points and relations.
  void ask(std::span<const Triple> triples, Side side) {
    relations_.clear();
    for (size_t i = 0; i < triples.size(); ++i) {
      relations_.push_back(model_.ask(side, triples[i], points_.data() + i * width()));
    }
  }

  // Of one candidate to point i, by the same arithmetic as of all.
  float distance(size_t i, int32_t candidate) {
    const int64_t first = candidate / kRowPadding * kRowPadding;
    const int64_t count = std::min<int64_t>(kRowPadding, model_.entities.rows() - first);
    candidates_.distances({points_.data() + i * width(), width()}, {&relations_[i], 1}, first,
                          count, distances_.data());
    return distances_.data()[candidate - first];
  }

  double count_before(size_t i, float truth, int64_t count) const {
    if (std::isnan(truth)) return static_cast<double>(count);
    const float* const distances = distances_.data() + i * kCandidates;
    int32_t nearer = 0, equal = 0;
    for (int64_t j = 0; j < count; ++j) {
      nearer += distances[j] < truth ? 1 : 0;
      equal += distances[j] == truth ? 1 : 0;
    }
    return nearer + 0.5 * equal;
  }

  const KgModel& model_;
  const Candidates& candidates_;
  const KnownTriples& known_;
  AlignedFloats points_;                 // of what is asked
  std::vector<const float*> relations_;  // in each
  AlignedFloats distances_;
};

void add_rank(double before, double share, RankScore& score) {
  const double rank = 1 + before;
  score.mean_rank += share * rank;
  score.mrr += share / rank;
  score.hits1 += rank <= 1 ? share : 0;
  score.hits3 += rank <= 3 ? share : 0;
  score.hits10 += rank <= 10 ? share : 0;
}

}  // namespace

LinkScores rank_links(const KgModel& model, std::span<const Triple> triples,
                      const KnownTriples& known, int threads, Progress* progress) {
  const Candidates candidates(model);
  const auto all = std::ssize(triples);
  std::vector<Place> places(2 * triples.size());
  std::mutex mutex;
  int64_t ranked = 0;
  const Stopwatch watch;
  for_each_piece(threads, (all + kQueries - 1) / kQueries, [&](int, int64_t batch) {
    Ranker ranker(model, candidates, known);
    const int64_t begin = batch * kQueries;
    const auto some = triples.subspan(static_cast<size_t>(begin),
                                      static_cast<size_t>(std::min(kQueries, all - begin)));
    ranker.rank(some, Side::kHead, places.data() + begin);
    ranker.rank(some, Side::kTail, places.data() + all + begin);
    const std::lock_guard lock(mutex);
    ranked += std::ssize(some);
    if (progress != nullptr && progress->due()) {
      const double part = static_cast<double>(ranked) / static_cast<double>(all);
      progress->show({{format("ranking %5.1f%%", 100 * part), 0},
                      {"ETA " + clock_text(watch.seconds() * (1 / part - 1)), 1}});
    }
  });
  LinkScores scores;
  const double share = 1 / static_cast<double>(std::max<size_t>(places.size(), 1));
  for (const Place& place : places) {
    add_rank(place.before, share, scores.raw);
    add_rank(place.filtered_before, share, scores.filtered);
  }
  return scores;
}

}  // namespace acevec
