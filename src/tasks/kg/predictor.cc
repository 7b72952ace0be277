#include "tasks/kg/predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "math/threshold.h"
#include "vectors/best_rows.h"

namespace acevec {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

// Triples' distances, infinite in place of NaN, and whether the triples are true.
using Labelled = std::vector<LabelledValue>;

// The threshold that classifies most triples correctly: halfway between the last distance taken for
// true and the next.
float best_threshold(Labelled& labelled) {
  std::sort(labelled.begin(), labelled.end());
  const auto end = std::ranges::find(labelled, kInfinite, &LabelledValue::first);
  const auto finite = static_cast<size_t>(end - labelled.begin());
  const size_t below = best_threshold_place({labelled.data(), finite}, true).below;
  if (below == 0) return labelled.front().first - 1;
  if (below == finite) return labelled[finite - 1].first;
  return std::midpoint(labelled[below - 1].first, labelled[below].first);
}

// The i-th triple with one end of a later triple; unchanged if no later triple makes a false one.
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

// Offers answers to `best`, whose scores are negated distances.
void offer(float* distances, int64_t first, int64_t count, std::span<const int32_t> left_out,
           BestRows& best) {
  std::transform(distances, distances + count, distances,
                 [](float distance) { return std::isnan(distance) ? -kInfinite : -distance; });
  for (const int32_t id : ids_within(left_out, first, count)) {
    distances[id - first] = std::numeric_limits<float>::quiet_NaN();  // never selected
  }
  best.offer(distances, first, count, {});
}

std::vector<Completion> completions(BestRows&& best) {
  std::vector<Completion> found;
  for (const auto& [id, score] : std::move(best).sorted()) {
    found.push_back({static_cast<int32_t>(id), static_cast<float>(-score)});
  }
  return found;
}

bool lacks_relation(const OpenTriple& question) {
  return kTripleColumns[question.missing] == &Triple::relation;
}

std::vector<Completion> nearest_relations(Triple triple, const KgModel& model,
                                          const KnownTriples* known, int64_t most) {
  BestRows best(most);
  std::vector<float> distances;
  std::vector<int32_t> left_out;
  for (triple.relation = 0; triple.relation < model.relation_count(); ++triple.relation) {
    distances.push_back(model.distance(triple));
    if (known != nullptr && known->contains(triple)) left_out.push_back(triple.relation);
  }
  offer(distances.data(), 0, std::ssize(distances), left_out, best);
  return completions(std::move(best));
}

// Fills the answers to the questions for entities, at most QuestionBatch::kMost.
void find_entities(std::span<const OpenTriple> questions, const Candidates& candidates,
                   const KnownTriples* known, int64_t most, std::vector<Completion>* answers) {
  QuestionBatch batch(candidates);
  std::vector<size_t> places;
  std::vector<std::span<const int32_t>> left_out;
  for (size_t i = 0; i < questions.size(); ++i) {
    if (lacks_relation(questions[i])) continue;
    const auto& [triple, missing] = questions[i];
    const Side side = kTripleColumns[missing] == &Triple::head ? Side::kHead : Side::kTail;
    batch.add(side, triple);
    places.push_back(i);
    left_out.push_back(known == nullptr ? std::span<const int32_t>() : known->at(side).of(triple));
  }
  std::vector<BestRows> best(places.size(), BestRows(most));
  batch.for_each_block([&](int64_t first, int64_t count) {
    for (size_t i = 0; i < places.size(); ++i) {
      offer(batch.distances(i), first, count, left_out[i], best[i]);
    }
  });
  for (size_t i = 0; i < places.size(); ++i) answers[places[i]] = completions(std::move(best[i]));
}

}  // namespace

Predictor::Predictor(const KgFile& file, bool with_known)
    : model_(file.model), candidates_(file.model) {
  if (!with_known) left_out_.emplace(KnownTriples(file.entities.size(), {file.known}));
}

std::vector<std::vector<Completion>> Predictor::nearest(std::span<const OpenTriple> questions,
                                                        int64_t most, int threads) const {
  std::vector<std::vector<Completion>> answers(questions.size());
  const KnownTriples* const known = left_out_ ? &*left_out_ : nullptr;
  const auto share = (std::ssize(questions) + threads - 1) / threads;
  const auto block = std::clamp<int64_t>(share, 1, QuestionBatch::kMost);
  in_blocks(threads, std::ssize(questions), block, [&](int64_t begin, int64_t end) {
    const auto some =
        questions.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
    find_entities(some, candidates_, known, most, answers.data() + begin);
    for (size_t i = 0; i < some.size(); ++i) {
      if (!lacks_relation(some[i])) continue;
      answers[static_cast<size_t>(begin) + i] =
          nearest_relations(some[i].triple, model_, known, most);
    }
  });
  return answers;
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
    if (other == triple) continue;
    Labelled& own = of_relation[static_cast<size_t>(triple.relation)];
    for (const auto& [one, is_true] : {std::pair(triple, true), std::pair(other, false)}) {
      const float distance = model.distance(one);
      own.emplace_back(std::isnan(distance) ? kInfinite : distance, is_true);
      all.push_back(own.back());
    }
  }
  if (all.empty()) {
    throw Error("no false triple can be made of those of -valid; give more of them");
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
