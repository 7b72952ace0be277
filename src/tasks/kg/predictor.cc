#include "tasks/kg/predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "math/threshold.h"

namespace acevec {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

// Triples' distances, infinite where they are not a number, and whether they are true.
using Labelled = std::vector<LabelledValue>;

// Up to which distance most are told rightly: halfway between the last one held to be true and the
// next.
float best_threshold(Labelled& labelled) {
  std::sort(labelled.begin(), labelled.end());
  const auto end = std::ranges::find(labelled, kInfinite, &LabelledValue::first);
  const auto finite = static_cast<size_t>(end - labelled.begin());
  const size_t below = best_threshold_place({labelled.data(), finite}, true).below;
  if (below == 0) return labelled.front().first - 1;
  if (below == finite) return labelled[finite - 1].first;
  return std::midpoint(labelled[below - 1].first, labelled[below].first);
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

Predictor::Predictor(const KgFile& file)
    : file_(file),
      candidates_(columns_of(file.model)),
      known_(file.entities.size(), {file.known}),
      distances_(padded(std::max<int64_t>(file.entities.size(), file.relations.size()))) {}

std::vector<int32_t> Predictor::nearest(Triple question, size_t missing, size_t most,
                                        bool with_known) {
  if (kTripleColumns[missing] == &Triple::relation) {
    look_at_relations(question);
  } else {
    look_at_entities(missing == 0 ? Side::kHead : Side::kTail, question);
  }
  const int32_t count = file_.names(missing).size();
  std::replace_if(
      distances_.data(), distances_.data() + count, [](float x) { return std::isnan(x); },
      std::numeric_limits<float>::infinity());
  std::vector<int32_t> ids;
  for (int32_t id = 0; id < count; ++id) {
    question.*kTripleColumns[missing] = id;
    if (with_known || !known_.contains(question)) ids.push_back(id);
  }
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(most, ids.size()));
  std::partial_sort(ids.begin(), end, ids.end(), [&](int32_t a, int32_t b) {
    return std::pair(distance(a), a) < std::pair(distance(b), b);
  });
  ids.erase(end, ids.end());
  return ids;
}

void Predictor::look_at_entities(Side side, const Triple& question) {
  const KgModel& model = file_.model;
  std::vector<float> point(static_cast<size_t>(model.score->size()));
  const float* const relation = model.ask(side, question, point.data());
  model.score->distances(point.data(), relation, candidates_, 0, file_.entities.size(),
                         distances_.data());
}

void Predictor::look_at_relations(Triple question) {
  for (question.relation = 0; question.relation < file_.relations.size(); ++question.relation) {
    distances_.data()[question.relation] = file_.model.distance(question);
  }
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
