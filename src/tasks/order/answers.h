// Answers from trained vectors: the concepts above or below a given one.
//
// A penalty alone ranks all concepts poorly: most are far more specific than the given one, and a
// few of these are in order by chance. The probability of a concept to be a general at all falls
// like 1 / row, since rows are sorted by descending number of pairs (Zipf's law), and that of a
// pair to be true falls about as the square of its penalty. Hence the weighted penalty
//
//     (E(x, y) + ε) √row(y),   rows counted from 1,
//
// which selects and orders answers. ε, 0.0003 times the vectors' mean squared length, is the chance
// difference of penalties: below it the row decides.
//
// Order embeddings are written scaled to a cut of 1; the record beside cones has their cut.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/order_penalty.h"
#include "math/exact_pairs.h"
#include "math/matrix.h"
#include "tasks/order/geometry.h"
#include "tasks/order/hierarchy.h"
#include "vectors/row_writer.h"

namespace acevec {

struct Answer {
  int32_t id;
  float weighted;  // its weighted penalty
};

// Keeps a reference to the vectors, whose rows must be sorted by descending number of pairs.
class Answers {
 public:
  explicit Answers(const Embedding& embedding);

  // The weighted penalty of x → y. Infinite if y is deeper than x, so that of two concepts that are
  // each above the other only one is an answer, unless they are equally deep.
  float weighted(OrderPair pair) const;

  // The largest weighted penalty of a pair in perfect order; above 0.
  float loosest_in_order() const;

  // The weighted penalty of every concept as a general of `concept_id` (`replaced` is kGeneral) or
  // as a specific; infinite for itself.
  std::vector<float> all_weighted(Replaced replaced, int32_t concept_id) const;

  // The answers with a weighted penalty of at most `cut`, the smallest first, ties by id.
  std::vector<Answer> find(Replaced replaced, int32_t concept_id, float cut) const;

 private:
  Embedding embedding_;
  std::vector<double> depths_;  // larger for more specific concepts
  float floor_ = 0;             // ε
};

// Shares over all answers to some questions, 0 .. 1.
struct AnswerQuality {
  double precision = 0;  // share of the answers that are true; 1 if there are none
  double recall = 0;     // share of the true answers that are given
};

// `truth`: the true answers for each concept.
AnswerQuality answer_quality(const Answers& answers, Replaced replaced, const ExactPairs& truth,
                             const std::vector<int32_t>& concepts, float cut, int threads);

struct AnswerCut {
  float weighted;  // the largest weighted penalty of an answer; above 0
  AnswerQuality quality;
};

// The cut with the best F1 among those with a precision of at least 0.9, or among all if there are
// none, for the generals of each of `concepts` among all concepts. `generals`: the true answers. If
// all of these have infinite penalties, the cut accepts everything in perfect order.
AnswerCut choose_cut(const Answers& answers, const ExactPairs& generals,
                     const std::vector<int32_t>& concepts, int threads);

// All concepts with an outcome in `truth`, or `most` of them, evenly spaced by row.
std::vector<int32_t> sample_concepts(const ExactPairs& truth, int64_t most);

inline constexpr int64_t kMostQueries = 1000;  // concepts to choose a cut and measure answers on

// The best cut for the specific concepts of development pairs.
AnswerCut answer_cut(const Hierarchy& hierarchy, const Split& split, const Embedding& embedding,
                     int threads);

// Writes order embeddings, scaled so that answers have a weighted penalty of at most 1 and the file
// needs no record of the cut. Cones cannot be scaled. Throws Error, also for numbers not finite.
void write_order(const Hierarchy& hierarchy, const Embedding& embedding, const AnswerCut& cut,
                 RowWriter& file);

struct Reading {
  Geometry geometry;
  float unit;  // the largest weighted penalty of an answer; 0: unknown
};

// Reads `record_file`, which acevec order writes beside the vectors. Without it (its name may be
// empty), or if it is something else: cones if a coordinate is negative, and an unknown unit.
Reading read_beside(const std::string& record_file, const Matrix& vectors);

}  // namespace acevec
