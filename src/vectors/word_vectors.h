// Words and their vectors, in memory.
#pragma once

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
};

}  // namespace acevec
