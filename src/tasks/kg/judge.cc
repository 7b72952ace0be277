#include "tasks/kg/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace acevec {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

// A triple's distance, infinite where it is not a number, and whether it is true.
using Labelled = std::vector<std::pair<float, bool>>;

// Up to which distance most are told rightly: halfway between the last one held to be true and the
// next.
float best_threshold(Labelled& labelled) {
  std::sort(labelled.begin(), labelled.end());
  float best = labelled.front().first - 1;
  int64_t right = 0, most = 0;  // more than are told by holding none to be true
  for (size_t i = 0; i < labelled.size() && labelled[i].first < kInfinite; ++i) {
    right += labelled[i].second ? 1 : -1;
    const bool last = i + 1 == labelled.size() || labelled[i + 1].first == kInfinite;
    if (!last && labelled[i + 1].first == labelled[i].first) continue;
    if (right <= most) continue;
    most = right;
    best = last ? labelled[i].first : std::midpoint(labelled[i].first, labelled[i + 1].first);
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
      const float distance = model.distance(one);
      own.emplace_back(std::isnan(distance) ? kInfinite : distance, is_true);
      all.push_back(own.back());
    }
  }
  const float common = best_threshold(all);
  int64_t right = 0;
  for (Labelled& own : of_relation) {
    const float threshold = own.size() >= 2 * kFewest ? best_threshold(own) : common;
    thresholds_.push_back(threshold);
    right += std::count_if(own.begin(), own.end(),
                           [&](const auto& one) { return (one.first <= threshold) == one.second; });
  }
  accuracy_ = static_cast<double>(right) / static_cast<double>(all.size());
}

}  // namespace acevec
