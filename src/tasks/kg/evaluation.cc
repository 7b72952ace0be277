#include "tasks/kg/evaluation.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "tasks/kg/candidates.h"

namespace acevec {
namespace {

// How many candidates stand before the true one, ties counting half.
struct Place {
  float truth = 0;
  double before = 0;        // of all candidates
  double known_before = 0;  // of these, other known ones
};

// Of one more candidate.
double share_before(float distance, float truth) {
  if (distance < truth || std::isnan(truth)) return 1;
  return distance == truth ? 0.5 : 0;
}

double count_before(const float* distances, float truth, int64_t count) {
  if (std::isnan(truth)) return static_cast<double>(count);
  int32_t nearer = 0, equal = 0;
  for (int64_t j = 0; j < count; ++j) {
    nearer += distances[j] < truth ? 1 : 0;
    equal += distances[j] == truth ? 1 : 0;
  }
  return nearer + 0.5 * equal;
}

// Finds the places of one side of some triples.
void rank(std::span<const Triple> triples, Side side, const KnownTriples& known,
          AskedTogether& asked, Place* places) {
  asked.clear();
  std::vector<std::span<const int32_t>> answers;
  answers.reserve(triples.size());
  for (const Triple& triple : triples) {
    asked.add(side, triple);
    answers.push_back(known.at(side).of(triple));
  }
  for (size_t i = 0; i < triples.size(); ++i) {
    places[i].truth = asked.distance(i, entity(triples[i], side));
    places[i].before = -0.5;  // the true one ties with itself
  }
  asked.look([&](int64_t first, int64_t count) {
    for (size_t i = 0; i < triples.size(); ++i) {
      const float* const distances = asked.distances(i);
      const float truth = places[i].truth;
      places[i].before += count_before(distances, truth, count);
      for (const int32_t id : ids_within(answers[i], first, count)) {
        if (id == entity(triples[i], side)) continue;
        places[i].known_before += share_before(distances[id - first], truth);
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

LinkScores rank_links(const KgModel& model, std::span<const Triple> triples,
                      const KnownTriples& known, int threads, Progress* progress) {
  const Candidates candidates(model);
  const auto all = std::ssize(triples);
  std::vector<Place> places(2 * triples.size());
  std::mutex mutex;
  int64_t ranked = 0;
  const Stopwatch watch;
  for_each_piece(
      threads, (all + AskedTogether::kMost - 1) / AskedTogether::kMost, [&](int, int64_t batch) {
        AskedTogether asked(candidates);
        const int64_t begin = batch * AskedTogether::kMost;
        const auto some =
            triples.subspan(static_cast<size_t>(begin),
                            static_cast<size_t>(std::min(AskedTogether::kMost, all - begin)));
        rank(some, Side::kHead, known, asked, places.data() + begin);
        rank(some, Side::kTail, known, asked, places.data() + all + begin);
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
