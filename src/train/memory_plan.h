// An estimate of the memory that a run needs, made before it starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"

namespace acevec {

// The memory that a run needs beyond that in use.
struct MemoryPlan {
  struct Part {
    std::string what;  // "matrices"
    int64_t bytes;
  };
  std::string job;     // "training 71,290 words with vectors of size 100"
  std::string advice;  // how to reduce it: "lower -size or -max-vocab"
  std::vector<Part> parts;

  int64_t total() const;
};

// Prints the total of the plan and the memory in use, part by part with `details`. Throws Error if
// it exceeds `limit` bytes (0: the available memory).
void check_memory(const MemoryPlan& plan, int64_t limit, bool details, Progress& progress);

}  // namespace acevec
