#include "tasks/kg/candidates.h"

#include <cmath>
#include <functional>
#include <mutex>

#include "base/error.h"
#include "base/parallel.h"
#include "math/table_products.h"

namespace acevec {
namespace {

// The number of candidates nearer than the true one, ties counting half.
struct Place {
  float true_distance = 0;
  double before = 0;        // among all candidates
  double known_before = 0;  // among known answers
};

// The share of one candidate in Place::before.
double share_before(float distance, float true_distance) {
  if (distance < true_distance || std::isnan(true_distance)) return 1;
  return distance == true_distance ? 0.5 : 0;
}

double count_before(const float* distances, float true_distance, int64_t count) {
  if (std::isnan(true_distance)) return static_cast<double>(count);
  int32_t nearer = 0, equal = 0;
  for (int64_t j = 0; j < count; ++j) {
    nearer += distances[j] < true_distance ? 1 : 0;
    equal += distances[j] == true_distance ? 1 : 0;
  }
  return nearer + 0.5 * equal;
}

// Computes the places of one side of some triples.
void rank(std::span<const Triple> triples, Side side, const KnownTriples& known,
          QuestionBatch& questions, Place* places) {
  questions.clear();
  std::vector<std::span<const int32_t>> answers;
  answers.reserve(triples.size());
  for (const Triple& triple : triples) {
    questions.add(side, triple);
    answers.push_back(known.at(side).of(triple));
  }
  for (size_t i = 0; i < triples.size(); ++i) {
    places[i].true_distance = questions.distance(i, entity(triples[i], side));
    places[i].before = -0.5;  // the true one ties with itself
  }
  questions.for_each_block([&](int64_t first, int64_t count) {
    for (size_t i = 0; i < triples.size(); ++i) {
      const float* const distances = questions.distances(i);
      const float true_distance = places[i].true_distance;
      places[i].before += count_before(distances, true_distance, count);
      for (const int32_t id : ids_within(answers[i], first, count)) {
        if (id == entity(triples[i], side)) continue;
        places[i].known_before += share_before(distances[id - first], true_distance);
      }
    }
  });
}

void add_rank(double before, double share, RankScore& score) {
  const double rank = 1 + before;
  score.mean_rank += share * rank;
  score.mrr += share / rank;
  score.hits1 += rank <= 1 ? share : 0;
  score.hits3 += rank <= 3 ? share : 0;
  score.hits10 += rank <= 10 ? share : 0;
}

}  // namespace

Candidates::Candidates(const KgModel& model)
    : model_(model),
      products_(dynamic_cast<const ProductScore*>(model.score.get())),
      pairs_(dynamic_cast<const PairScore*>(model.score.get())) {
  if (products_ == nullptr) columns_.emplace(model.score->size(), count());
  for (int64_t i = 0; i < count(); ++i) {
    const float* const row = model.entities.row(i);
    if (columns_) columns_->set(i, row, pairs_->shift(row));
    if (is_euclidean()) squares_.push_back(products_->square(row));
  }
}

void Candidates::distances(std::span<const float> points, std::span<const float* const> relations,
                           int64_t first, int64_t count, float* out) const {
  const auto questions = std::ssize(relations);
  if (columns_) {
    for (int64_t i = 0; i < questions; ++i) {
      pairs_->distances(points.data() + i * width(), relations[static_cast<size_t>(i)], *columns_,
                        first, count, out + i * kPerBlock);
    }
    return;
  }
  const int64_t fours = model_.entities.rows() < 4 ? count : count / 4 * 4;
  score_tables({points.data(), questions}, {model_.entities.row(first), fours}, width(),
               {out, kPerBlock});
  if (fours < count) score_last(points, questions, first + count, count - fours, out + fours);
  for (int64_t i = 0; i < questions; ++i) {
    float* const row = out + i * kPerBlock;
    if (is_euclidean()) {
      const float* const point = points.data() + i * width();
      distances_of_products(products_->square(point), squares_.data() + first, count, row, nullptr);
    } else {
      std::transform(row, row + count, row, std::negate<>());
    }
  }
}

// Scores the last one to three entities with the four-row kernel.
void Candidates::score_last(std::span<const float> points, int64_t questions, int64_t end,
                            int64_t count, float* out) const {
  std::vector<float> scores(static_cast<size_t>(4 * questions));
  score_tables({points.data(), questions}, {model_.entities.row(end - 4), 4}, width(),
               {scores.data(), 4});
  for (int64_t i = 0; i < questions; ++i) {
    std::copy_n(scores.data() + 4 * i + 4 - count, count, out + i * kPerBlock);
  }
}

std::span<const int32_t> ids_within(std::span<const int32_t> ids, int64_t first, int64_t count) {
  return {std::ranges::lower_bound(ids, first), std::ranges::lower_bound(ids, first + count)};
}

float QuestionBatch::distance(size_t i, int32_t entity) {
  const int64_t first = entity / kRowPadding * kRowPadding;
  const int64_t count = std::min<int64_t>(kRowPadding, candidates_.count() - first);
  candidates_.distances(points(i, 1), {&relations_[i], 1}, first, count, distances_.data());
  return distances_.data()[entity - first];
}

LinkScores rank_links(const KgModel& model, std::span<const Triple> triples,
                      const KnownTriples& known, int threads, Progress* progress) {
  const Candidates candidates(model);
  const auto all = std::ssize(triples);
  std::vector<Place> places(2 * triples.size());
  std::mutex mutex;
  int64_t ranked = 0;
  const Stopwatch watch;
  for_each_piece(
      threads, (all + QuestionBatch::kMost - 1) / QuestionBatch::kMost, [&](int, int64_t batch) {
        QuestionBatch questions(candidates);
        const int64_t begin = batch * QuestionBatch::kMost;
        const auto some =
            triples.subspan(static_cast<size_t>(begin),
                            static_cast<size_t>(std::min(QuestionBatch::kMost, all - begin)));
        rank(some, Side::kHead, known, questions, places.data() + begin);
        rank(some, Side::kTail, known, questions, places.data() + all + begin);
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
    add_rank(place.before - place.known_before, share, scores.filtered);
  }
  return scores;
}

}  // namespace acevec
