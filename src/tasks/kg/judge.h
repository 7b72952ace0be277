// Whether single triples hold: their distances, and up to which distance a triple is held to be
// true.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/kg/known_triples.h"
#include "tasks/kg/model.h"

namespace acevec {

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
