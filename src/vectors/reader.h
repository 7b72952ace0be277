// Vectors in: word2vec's text and binary formats, GloVe's text without a first line.
#pragma once

#include <string>
#include <vector>

#include "math/matrix.h"

namespace acevec {

struct WordVectors {
  std::vector<std::string> words;
  Matrix vectors;  // row i belongs to words[i]
};

// Reads a file (or "-"), gzipped or not; which format it has is told from its content. Words that
// stand there twice are kept twice. Throws Error, naming the row, when the file is cut short, holds
// other rows than its first line promises, or a number that is not finite.
WordVectors read_vectors(const std::string& path);

}  // namespace acevec
