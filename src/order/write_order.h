// Order embeddings out: vectors that need no threshold beside them.
#pragma once

#include "math/matrix.h"
#include "order/answers.h"
#include "order/split.h"
#include "vectors/row_writer.h"

namespace acevec {

// Concepts that a cut is chosen with, and that answers are measured with, at most.
inline constexpr int64_t kAskedConcepts = 1000;

// The cut that questions about the development pairs' concepts are answered best with.
AnswerCut answer_cut(const Hierarchy& hierarchy, const Split& split, const Matrix& vectors,
                     int threads);

// Scales `vectors` such that answers are what has a weighted penalty of at most 1, so that a file
// of them needs to tell no other cut, and writes them. Throws Error.
void write_order(const Hierarchy& hierarchy, Matrix& vectors, const AnswerCut& cut,
                 RowWriter& file);

}  // namespace acevec
