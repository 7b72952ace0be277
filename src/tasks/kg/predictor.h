// Answers of a learned model: which entities and relations complete a triple, and whether a triple
// holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/aligned.h"
#include "tasks/kg/model.h"
#include "tasks/kg/triples.h"

namespace acevec {

// Answers questions to one model, which must outlive it.
class Predictor {
 public:
  explicit Predictor(const KgFile& file);

  // The ids of the nearest entities or relations that complete a triple without its column
  // `missing`, of kTripleColumns: at most `most`, the nearest first. `with_known`: also those that
  // make a triple learned from.
  std::vector<int32_t> nearest(Triple question, size_t missing, size_t most, bool with_known);

  // The distance of an entity or relation in the last question; infinite where it is not a number.
  float distance(int32_t id) const { return distances_.data()[id]; }

 private:
  void look_at_entities(Side side, const Triple& question);
  void look_at_relations(Triple question);

  const KgFile& file_;
  Columns candidates_;
  KnownTriples known_;
  AlignedFloats distances_;
};

// A threshold for each relation: the one that tells most of its `valid` triples from as many false
// ones. These are not `known`, and one end is that of another valid triple, of the same relation
// where there is one, so that they are not false at first sight. A relation with fewer than
// kFewest of them has the threshold of all triples.
class Judge {
 public:
  static constexpr size_t kFewest = 10;

  // `valid` must not be empty.
  Judge(const KgModel& model, std::span<const Triple> valid, const KnownTriples& known);

  bool holds(const Triple& triple, float distance) const {
    return distance <= thresholds_[static_cast<size_t>(triple.relation)];
  }

  // Share of the triples, true and false, that the thresholds were chosen on and that they tell.
  double accuracy() const { return accuracy_; }

 private:
  std::vector<float> thresholds_;  // by relation
  double accuracy_ = 0;
};

}  // namespace acevec
