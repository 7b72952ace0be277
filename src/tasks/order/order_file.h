// Files of order embeddings and cones, and the record beside them.
#pragma once

#include <string>

#include "math/matrix.h"
#include "tasks/order/answers.h"
#include "tasks/order/geometry.h"
#include "tasks/order/split.h"
#include "vectors/row_writer.h"

namespace acevec {

// Concepts that a cut is chosen with, and that answers are measured with, at most.
inline constexpr int64_t kAskedConcepts = 1000;

// The cut that questions about the development pairs' concepts are answered best with.
AnswerCut answer_cut(const Hierarchy& hierarchy, const Split& split, const Embedding& embedding,
                     int threads);

// The record, as JSON, beside a snapshot of cones, for acevec order query.
std::string cone_record(const AnswerCut& cut);

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
