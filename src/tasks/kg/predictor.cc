#include "tasks/kg/predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace acevec {

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

}  // namespace acevec
