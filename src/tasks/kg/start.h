// Training that starts from an older model's vectors.
#pragma once

#include <cstdint>
#include <string>

#include "tasks/kg/model_file.h"

namespace acevec {

// Reads a model to start from. Throws Error when it is none, or not of that shape.
KgFile read_start(const std::string& path, const KgShape& shape);

struct KnownRows {
  int64_t entities = 0, relations = 0;
};

// Copies the vectors of entities and relations that have the same names; others stay as they are.
// Both models must have one shape. Returns how many were copied.
KnownRows start_from(const KgFile& old, const Graph& graph, KgModel& model);

}  // namespace acevec
