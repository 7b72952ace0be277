// The head of numpy's .npy files: what numbers follow, and in which shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/look_ahead.h"

namespace acevec {

struct NpyHead {
  std::string type;         // as numpy writes it, "<f4"
  bool by_columns = false;  // Fortran's order
  // Lengths of the dimensions, each ≥ 0; none where the head does not list them.
  std::optional<std::vector<int64_t>> shape;
};

// Whether the next bytes are those that such a file begins with.
bool begins_npy(LookAhead& input);

// Reads the head; the numbers come next. Throws Error, which says only what is wrong with the file.
NpyHead read_npy_head(LookAhead& input);

}  // namespace acevec
