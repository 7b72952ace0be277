// What is learned: a score, and a row for each entity and each relation.
#pragma once

#include <memory>

#include "kg/score.h"
#include "math/matrix.h"

namespace acevec {

struct KgModel {
  KgModel(ScoreKind kind, Norm norm, int64_t size, int64_t entities, int64_t relations);

  ScoreKind kind;
  Norm norm;
  std::unique_ptr<Score> score;
  Matrix entities, relations;
};

// Where training starts: every part of every row has a random direction, entities length 1.
KgModel initial_model(ScoreKind kind, Norm norm, int64_t size, int64_t entities, int64_t relations,
                      uint64_t seed);

// All entities, as distances() reads them.
Columns columns_of(const KgModel& model);

}  // namespace acevec
