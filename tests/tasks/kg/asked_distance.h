// The distance of a triple by which the entity of one side is ranked: heads by the inverse of the
// relation, where a model has them.
#pragma once

#include "tasks/kg/model.h"

namespace acevec {

inline float asked_distance(const KgModel& model, Side side, const Triple& triple) {
  const bool inverted = side == Side::kHead && model.shape.has_inverses();
  return model.score->distance(
      model.entities.row(inverted ? triple.tail : triple.head),
      inverted ? model.inverse(triple.relation) : model.relations.row(triple.relation),
      model.entities.row(inverted ? triple.head : triple.tail));
}

}  // namespace acevec
