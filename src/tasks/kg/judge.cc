#include "tasks/kg/judge.h"

#include <algorithm>
#include <utility>

namespace acevec {
namespace {

// A triple's distance, and whether it is true.
using Labelled = std::vector<std::pair<float, bool>>;

struct Threshold {
  float distance = 0;
  int64_t right = 0;  // of those that it was chosen on
};

// Halfway between the last one held to be true and the next.
Threshold best_threshold(Labelled& labelled) {
  std::sort(labelled.begin(), labelled.end());
  int64_t right =
      std::count_if(labelled.begin(), labelled.end(), [](const auto& one) { return !one.second; });
  Threshold best{labelled.front().first - 1, right};
  for (size_t i = 0; i < labelled.size(); ++i) {
    right += labelled[i].second ? 1 : -1;
    const bool last = i + 1 == labelled.size();
    if (!last && labelled[i + 1].first == labelled[i].first) continue;
    if (right <= best.right) continue;
    best = {last ? labelled[i].first : (labelled[i].first + labelled[i + 1].first) / 2, right};
  }
  return best;
}

// The i-th triple with an end of one of those behind it; itself where none of them makes a false
// one.
Triple false_triple(const std::vector<Triple>& triples, size_t i, const KnownTriples& known) {
  constexpr size_t kTries = 1000;
  for (size_t step = 1; step < std::min(triples.size(), kTries); ++step) {
    const Triple& other_one = triples[(i + step) % triples.size()];
    const Side side = (i + step) % 2 == 0 ? Side::kHead : Side::kTail;
    const Triple one = replaced(triples[i], side, entity(other_one, side));
    if (one != triples[i] && !known.at(side).contains(one)) return one;
  }
  return triples[i];
}

}  // namespace

float triple_distance(const KgModel& model, const Triple& triple) {
  const float* const head = model.entities.row(triple.head);
  const float* const tail = model.entities.row(triple.tail);
  const float forwards = model.score->distance(head, model.relations.row(triple.relation), tail);
  if (!model.shape.reciprocal) return forwards;
  const float* const reverse = model.asked(Side::kHead, triple.relation).relation;
  return (forwards + model.score->distance(tail, reverse, head)) / 2;
}

Judge::Judge(const KgModel& model, std::span<const Triple> valid, const KnownTriples& known) {
  Labelled all;
  std::vector<Labelled> of_relation(static_cast<size_t>(model.relation_count()));
  std::vector<Triple> triples(valid.begin(), valid.end());
  std::sort(triples.begin(), triples.end(), [](const Triple& a, const Triple& b) {
    return std::pair(a.relation, a) < std::pair(b.relation, b);
  });
  for (size_t i = 0; i < triples.size(); ++i) {
    const Triple& triple = triples[i];
    const Triple other = false_triple(triples, i, known);
    Labelled& own = of_relation[static_cast<size_t>(triple.relation)];
    for (const auto& [one, is_true] : {std::pair(triple, true), std::pair(other, false)}) {
      own.emplace_back(triple_distance(model, one), is_true);
      all.push_back(own.back());
    }
  }
  const float common = best_threshold(all).distance;
  int64_t right = 0;
  for (Labelled& own : of_relation) {
    if (own.size() >= 2 * kFewest) {
      const Threshold threshold = best_threshold(own);
      thresholds_.push_back(threshold.distance);
      right += threshold.right;
      continue;
    }
    thresholds_.push_back(common);
    right += std::count_if(own.begin(), own.end(),
                           [&](const auto& one) { return (one.first <= common) == one.second; });
  }
  accuracy_ = static_cast<double>(right) / static_cast<double>(all.size());
}

}  // namespace acevec
