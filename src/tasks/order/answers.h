// Answers of trained vectors: the concepts above or below a given one.
//
// A penalty alone is a poor guide among all concepts: most are far more specific than
// what is asked about, and a few of these lie in order by chance. How likely a concept is a general
// at all falls like 1 / row, since rows are sorted by descending number of pairs (Zipf's law), and
// how likely a pair is true falls about as the square of its penalty. Hence the weighted penalty
//
//     (E(x, y) + ε) √row(y),   rows counted from 1,
//
// by which answers are chosen and ordered. ε, 0.0003 times the vectors' mean squared length, is
// what penalties differ by from chance: below it the row decides.
//
// Files of order embeddings and cones, and the record beside them, say which answers to give.
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

// Keeps a reference to the vectors, whose rows are sorted by descending number of pairs.
class Answers {
 public:
  explicit Answers(const Embedding& embedding);

  // The weighted penalty of x → y. Infinite when y stands lower, by its depth, so
  // that of two that are each above the other, as equals are, one only is an answer.
  float weighted(OrderPair pair) const;

  // The largest weighted penalty of a pair in perfect order; above 0.
  float loosest_in_order() const;

  // The weighted penalty of every concept as what is above `concept_id` when the general side is
  // asked for (`asked`), or below it; infinite for itself.
  void weigh(Replaced asked, int32_t concept_id, std::vector<float>& weighted) const;

  // The answers of at most `cut`, the least first, and equal ones in the order of their ids.
  std::vector<Answer> find(Replaced asked, int32_t concept_id, float cut) const;

 private:
  Embedding embedding_;
  std::vector<double> depths_;  // which grow downwards
  float floor_ = 0;             // ε
};

// Shares over all answers to some questions, 0 .. 1.
struct AnswerQuality {
  double precision = 0;  // share of the answers that are true; 1 when there is none
  double recall = 0;     // share of what is true that is answered
};

// `truth` has the true answers to each concept.
AnswerQuality answer_quality(const Answers& answers, Replaced asked, const ExactPairs& truth,
                             const std::vector<int32_t>& concepts, float cut, int threads);

struct AnswerCut {
  float weighted;  // answers are those of at most this; above 0
  AnswerQuality quality;
};

// The cut of the best F1 among those of a precision of at least 0.9, or of all when there is none
// such: asked what is above each of `concepts`, among all concepts. `generals`: the true answers.
// If no cut finds any of these, it is the one that answers with all that is in perfect order.
AnswerCut choose_cut(const Answers& answers, const ExactPairs& generals,
                     const std::vector<int32_t>& concepts, int threads);

// Concepts that have an outcome in `truth`: all, or `most` of them, evenly spaced by row.
std::vector<int32_t> sample_concepts(const ExactPairs& truth, int64_t most);

// Concepts that a cut is chosen with, and that answers are measured with, at most.
inline constexpr int64_t kAskedConcepts = 1000;

// The cut that questions about the development pairs' concepts are answered best with.
AnswerCut answer_cut(const Hierarchy& hierarchy, const Split& split, const Embedding& embedding,
                     int threads);

// Writes order embeddings, scaled such that answers are what has a weighted penalty of at most 1: a
// file of them needs to tell no other cut. Cones cannot be scaled. Throws Error, also when a number
// is not finite.
void write_order(const Hierarchy& hierarchy, const Embedding& embedding, const AnswerCut& cut,
                 RowWriter& file);

struct Reading {
  Geometry geometry;
  float unit;  // the largest weighted penalty of an answer; 0 where it is unknown
};

// Reads `record_file`, which acevec order writes beside the vectors. Without it (its name may be
// empty), or with a record of something else: cones if a coordinate is negative, and no
// unit.
Reading read_beside(const std::string& record_file, const Matrix& vectors);

}  // namespace acevec
