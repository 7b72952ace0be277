#include "kg/evaluation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"

namespace acevec {
namespace {

constexpr size_t kQueries = 64;       // asked together
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

class Ranker {
 public:
  Ranker(const KgModel& model, const Columns& candidates, const AllAnswers& known)
      : model_(model), candidates_(candidates), known_(known), distances_(kCandidates) {}

  // The places of one side of some triples.
  void rank(std::span<const Triple> triples, Side side, Place* places) {
    const int64_t size = model_.score->size();
    std::vector<float> projected(static_cast<size_t>(size));
    std::vector<float> points(triples.size() * static_cast<size_t>(size));
    for (size_t i = 0; i < triples.size(); ++i) {
      const Triple& triple = triples[i];
      float* const point = points.data() + static_cast<int64_t>(i) * size;
      const KgModel::Asked asked = model_.asked(side, triple.relation);
      model_.score->ask(asked.side, model_.entities.row(entity(triple, other(side))),
                        asked.relation, projected.data(), point);
      const int32_t truth = entity(triple, side);
      places[i].truth = distance(asked.relation, point, truth);
    }
    const int64_t all = model_.entities.rows();
    for (int64_t first = 0; first < all; first += kCandidates) {
      const int64_t count = std::min(kCandidates, all - first);
      for (size_t i = 0; i < triples.size(); ++i) {
        model_.score->distances(points.data() + static_cast<int64_t>(i) * size,
                                model_.asked(side, triples[i].relation).relation, candidates_,
                                first, count, distances_.data());
        places[i].before += count_before(places[i].truth, count);
      }
    }
    for (size_t i = 0; i < triples.size(); ++i) {
      places[i].before -= 0.5;  // the true one ties with itself
      places[i].filtered_before = places[i].before;
      for (const int32_t answer : known_.at(side).of(triples[i])) {
        if (answer == entity(triples[i], side)) continue;
        places[i].filtered_before -=
            share_before(distance(model_.asked(side, triples[i].relation).relation,
                                  points.data() + static_cast<int64_t>(i) * size, answer),
                         places[i].truth);
      }
    }
  }

 private:
  // Of one candidate, by the same arithmetic as of all, so that it ties with itself.
  float distance(const float* relation, const float* point, int32_t candidate) {
    const int64_t first = candidate / kRowPadding * kRowPadding;
    model_.score->distances(point, relation, candidates_, first, kRowPadding, distances_.data());
    return distances_.data()[candidate - first];
  }

  double count_before(float truth, int64_t count) const {
    if (std::isnan(truth)) return static_cast<double>(count);
    int32_t nearer = 0, equal = 0;
    for (int64_t j = 0; j < count; ++j) {
      nearer += distances_.data()[j] < truth ? 1 : 0;
      equal += distances_.data()[j] == truth ? 1 : 0;
    }
    return nearer + 0.5 * equal;
  }

  const KgModel& model_;
  const Columns& candidates_;
  const AllAnswers& known_;
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
                      const AllAnswers& known, int threads) {
  const Columns candidates = columns_of(model);
  std::vector<Place> places(2 * triples.size());
  const size_t batches = (triples.size() + kQueries - 1) / kQueries;
  for_each_piece(threads, static_cast<int64_t>(batches), [&](int, int64_t batch) {
    Ranker ranker(model, candidates, known);
    const size_t begin = static_cast<size_t>(batch) * kQueries;
    const auto some = triples.subspan(begin, std::min(kQueries, triples.size() - begin));
    ranker.rank(some, Side::kHead, places.data() + begin);
    ranker.rank(some, Side::kTail, places.data() + triples.size() + begin);
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
