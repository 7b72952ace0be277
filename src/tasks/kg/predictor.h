// Completes triples: the entities or relations that are nearest in what a model has learned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/aligned.h"
#include "tasks/kg/known_triples.h"
#include "tasks/kg/model_file.h"
#include "tasks/kg/triple.h"

namespace acevec {

// Answers questions to one model, which must live as long.
class Predictor {
 public:
  explicit Predictor(const KgFile& file);

  // The ids of the nearest entities or relations that complete a triple without its column
  // `missing`, of kTripleColumns: at most `most`, the nearest first. `with_known`: also those that
  // make a triple learned from.
  std::vector<int32_t> nearest(Triple question, size_t missing, size_t most, bool with_known);

  // Of an entity or relation, in the last question; infinite where it is not a number.
  float distance(int32_t id) const { return distances_.data()[id]; }

 private:
  void look_at_entities(Side side, const Triple& question);
  void look_at_relations(Triple question);

  const KgFile& file_;
  Columns candidates_;
  KnownTriples known_;
  AlignedFloats distances_;
};

}  // namespace acevec
