// Words and their vectors, in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "math/matrix.h"
#include "vectors/subwords.h"

namespace acevec {

struct WordVectors {
  std::vector<std::string> words;
  Matrix vectors;  // row i belongs to words[i]
  // What vectors of other words are composed of; null: these have none.
  std::shared_ptr<const SubwordRows> subwords = nullptr;
  std::string note = {};  // RowReader::note()
};

// Reads a file (or "-"), packed or not, of any of the formats; which it has is detected as
// open_rows() tells it. `most`: only so many rows, the first; 0: all. Each word is there once.
// Throws Error as RowReader does, and when a model of fastText needs more memory than there is.
WordVectors read_vectors(const std::string& path, int64_t most = 0);

}  // namespace acevec
