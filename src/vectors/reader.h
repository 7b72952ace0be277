// A file of vectors as a matrix.
#pragma once

#include <cstdint>
#include <string>

#include "vectors/word_vectors.h"

namespace acevec {

// Reads a file (or "-"), gzipped or not, of any of the formats; which it has is detected as
// open_rows() tells it. `most`: only so many rows, the first; 0: all. Words that stand there twice
// are kept twice. Throws Error as RowReader does, and when a model of fastText needs more memory
// than there is.
WordVectors read_vectors(const std::string& path, int64_t most = 0);

}  // namespace acevec
