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

// A triple of which something is asked for.
struct TripleQuestion {
  enum class Missing { kHead, kRelation, kTail };

  Missing missing;
  Triple triple;  // what is missing is 0
};

// Answers questions to one model, which must live as long.
class Predictor {
 public:
  explicit Predictor(const KgFile& file);

  // The ids of the nearest entities or relations, at most `most`, the nearest first. `with_known`:
  // also those that make a triple learned from.
  std::vector<int32_t> nearest(const TripleQuestion& question, size_t most, bool with_known);

  // Of an entity or relation, in the last question.
  float distance(int32_t id) const { return distances_.data()[id]; }

 private:
  void look_at_entities(const TripleQuestion& question);
  void look_at_relations(Triple triple);
  bool is_known(const TripleQuestion& question, int32_t id) const;

  const KgFile& file_;
  Columns candidates_;
  KnownTriples known_;
  AlignedFloats distances_;
};

}  // namespace acevec
