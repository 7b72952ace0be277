#include "tasks/kg/predictor.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tasks/kg/judge.h"

namespace acevec {
namespace {

using Missing = TripleQuestion::Missing;

}  // namespace

Predictor::Predictor(const KgFile& file)
    : file_(file),
      candidates_(columns_of(file.model)),
      known_(file.entities.size(), {file.known}),
      distances_(padded(std::max<int64_t>(file.entities.size(), file.relations.size()))) {}

std::vector<int32_t> Predictor::nearest(const TripleQuestion& question, size_t most,
                                        bool with_known) {
  const bool relations = question.missing == Missing::kRelation;
  std::vector<int32_t> ids(
      static_cast<size_t>(relations ? file_.relations.size() : file_.entities.size()));
  std::iota(ids.begin(), ids.end(), 0);
  if (relations) {
    look_at_relations(question.triple);
  } else {
    look_at_entities(question);
  }
  if (!with_known) {
    std::erase_if(ids, [&](int32_t id) { return is_known(question, id); });
  }
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(most, ids.size()));
  std::partial_sort(ids.begin(), end, ids.end(), [&](int32_t a, int32_t b) {
    return std::pair(distance(a), a) < std::pair(distance(b), b);
  });
  ids.erase(end, ids.end());
  return ids;
}

void Predictor::look_at_entities(const TripleQuestion& question) {
  const KgModel& model = file_.model;
  const Side side = question.missing == Missing::kHead ? Side::kHead : Side::kTail;
  std::vector<float> projected(static_cast<size_t>(model.score->size())), point(projected);
  const KgModel::Asked asked = model.asked(side, question.triple.relation);
  model.score->ask(asked.side, model.entities.row(entity(question.triple, other(side))),
                   asked.relation, projected.data(), point.data());
  model.score->distances(point.data(), asked.relation, candidates_, 0, file_.entities.size(),
                         distances_.data());
}

void Predictor::look_at_relations(Triple triple) {
  for (triple.relation = 0; triple.relation < file_.relations.size(); ++triple.relation) {
    distances_.data()[triple.relation] = triple_distance(file_.model, triple);
  }
}

bool Predictor::is_known(const TripleQuestion& question, int32_t id) const {
  Triple triple = question.triple;
  switch (question.missing) {
    case Missing::kHead:
      triple.head = id;
      break;
    case Missing::kRelation:
      triple.relation = id;
      break;
    case Missing::kTail:
      triple.tail = id;
      break;
  }
  return known_.tails.contains(triple);
}

}  // namespace acevec
