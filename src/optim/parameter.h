// A named matrix of trained parameters, for saving, checking, copying and exchanging.
#pragma once

#include <string>
#include <vector>

#include "math/matrix.h"

namespace acevec {

enum class Role {
  kResult,  // embeddings: what a run is for; the best copy and the check for divergence are of them
  kLearned,  // learned beside them, such as an adversary's generator
  kMemory,   // what an optimizer remembers, and what can be computed anew
};

struct Parameter {
  std::string name;  // of its part in a checkpoint
  Matrix* matrix;
  Role role;
};

}  // namespace acevec
