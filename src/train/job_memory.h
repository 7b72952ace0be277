// The memory of a job: what is too much is refused before training, and the rest is announced.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/progress.h"

namespace acevec {

// A job in the message that refuses it.
struct MemoryUse {
  std::string job;     // "training 71,290 words with vectors of size 100"
  std::string advice;  // how to reduce its memory: "lower -size or -max-vocab"
};

// Describes the training of `what`, such as "71,290 words", with vectors of a size.
MemoryUse memory_of_training(const std::string& what, int64_t size, const std::string& advice);

// Calls `make`, which allocates what the job needs and returns the bytes that the job will take
// beyond those now in use, such as pages that it has mapped and not touched. Then notes the sum.
// Throws Error if it exceeds `limit` bytes (0: the available memory), and as soon as `make`
// allocates more than that, before the pages are touched.
void take_memory(const MemoryUse& use, int64_t limit, Progress& progress,
                 const std::function<int64_t()>& make);

}  // namespace acevec
