// Writes vectors.
#pragma once

#include <string>

#include "math/matrix.h"
#include "tasks/order/answers.h"
#include "tasks/order/split.h"
#include "vectors/row_writer.h"

namespace acevec {

// Concepts that a cut is chosen with, and that answers are measured with, at most.
inline constexpr int64_t kAskedConcepts = 1000;

// The cut that questions about the development pairs' concepts are answered best with.
AnswerCut answer_cut(const Hierarchy& hierarchy, const Split& split, const Embedding& embedding,
                     int threads);

// What order query reads beside a file of cones that has no record of a whole run, as JSON.
std::string cone_record(const AnswerCut& cut);

// Writes order embeddings, scaled such that answers are what has a weighted penalty of at most 1: a
// file of them needs to tell no other cut. Cones cannot be scaled. Throws Error.
void write_order(const Hierarchy& hierarchy, Matrix& vectors, Geometry geometry,
                 const AnswerCut& cut, RowWriter& file);

}  // namespace acevec
