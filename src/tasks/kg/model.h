// What is learned: a score, and a row for each entity and each relation.
#pragma once

#include <memory>

#include "math/matrix.h"
#include "tasks/kg/score.h"

namespace acevec {

struct KgModel {
  // `reciprocal`: each relation has a second row, for its reverse, with which heads are asked for
  // as tails (Lacroix et al. 2018).
  KgModel(ScoreKind kind, Norm norm, int64_t size, int64_t entities, int64_t relations,
          bool reciprocal = false);

  // How the entity at a side is asked for: the side that the score sees, and the relation's row
  // for it.
  struct Asked {
    Side side;
    const float* relation;
  };
  Asked asked(Side wanted, int32_t relation) const;

  // Without reverses.
  int64_t relation_count() const { return relations.rows() / (reciprocal ? 2 : 1); }

  ScoreKind kind;
  Norm norm;
  bool reciprocal;
  std::unique_ptr<Score> score;
  Matrix entities, relations;
};

// Where training starts: every part of every row has a random direction, entities length 1.
KgModel initial_model(ScoreKind kind, Norm norm, int64_t size, int64_t entities, int64_t relations,
                      uint64_t seed, bool reciprocal = false);

// All entities, as distances() reads them.
Columns columns_of(const KgModel& model);

}  // namespace acevec
