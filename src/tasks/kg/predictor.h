// Predictions of a trained model: the entities and relations that complete a triple, and whether a
// triple holds.
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

// A triple without column `missing`, an index of kTripleColumns.
struct OpenTriple {
  Triple triple;
  size_t missing;
};

struct Completion {
  int32_t id;      // entity or relation
  float distance;  // infinite in place of NaN
};

// Answers questions by a model, which must outlive it.
class Predictor {
 public:
  // `with_known`: answers may form training triples.
  Predictor(const KgFile& file, bool with_known);

  // For each question the `most` nearest entities or relations that complete it, nearest first,
  // ties by lower id. Many questions at once take much less time than one by one, with the same
  // answers.
  std::vector<std::vector<Completion>> nearest(std::span<const OpenTriple> questions, int64_t most,
                                               int threads) const;

 private:
  const KgModel& model_;
  Candidates candidates_;
  std::optional<KnownTriples> left_out_;
};

// A threshold for each relation, which best separates its `valid` triples from as many false ones.
// The false ones are not `known`, and one end is from another valid triple, of the same relation if
// possible, so that they are not trivially false. A relation with fewer than kFewest valid triples
// uses the threshold of all triples.
class Judge {
 public:
  static constexpr size_t kFewest = 10;

  // `valid` must not be empty.
  Judge(const KgModel& model, std::span<const Triple> valid, const KnownTriples& known);

  bool holds(const Triple& triple, float distance) const {
    return distance <= thresholds_[static_cast<size_t>(triple.relation)];
  }

  // The share of the triples, true and false, on which the thresholds were chosen that they
  // classify correctly.
  double accuracy() const { return accuracy_; }

 private:
  std::vector<float> thresholds_;  // per relation
  double accuracy_ = 0;
};

}  // namespace acevec
