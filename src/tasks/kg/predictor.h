// Answers of a learned model: which entities and relations complete a triple, and whether a triple
// holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tasks/kg/candidates.h"
#include "tasks/kg/model.h"
#include "tasks/kg/triples.h"

namespace acevec {

// A triple without its column `missing`, of kTripleColumns.
struct OpenTriple {
  Triple triple;
  size_t missing;
};

struct Completion {
  int32_t id;      // of an entity or a relation
  float distance;  // infinite where it is not a number
};

// Answers questions to one model, which must outlive it.
class Predictor {
 public:
  // `with_known`: answers may make a triple learned from.
  Predictor(const KgFile& file, bool with_known);

  // For each question the nearest entities or relations that complete it: at most `most`, the
  // nearest first, of equal ones that of the lower id. Many questions at once take much less time
  // than one by one, and have the same answers.
  std::vector<std::vector<Completion>> nearest(std::span<const OpenTriple> questions, int64_t most,
                                               int threads) const;

 private:
  const KgModel& model_;
  Candidates candidates_;
  std::optional<KnownTriples> left_out_;
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
