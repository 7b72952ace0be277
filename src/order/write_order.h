// Order embeddings out: vectors that need no threshold beside them.
#pragma once

#include "base/output_file.h"
#include "math/matrix.h"
#include "order/split.h"

namespace acevec {

// Scales `vectors` so that the threshold that tells most development pairs rightly is 1, and writes
// them. Throws Error.
void write_order(const Hierarchy& hierarchy, const Split& split, Matrix& vectors, bool binary,
                 OutputFile& file);

}  // namespace acevec
