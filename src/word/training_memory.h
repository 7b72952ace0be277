// The memory that training will need, known before it starts.
#pragma once

#include <cstdint>

#include "train/memory_plan.h"
#include "word/skip_gram.h"

namespace acevec {

// What training `words` words adds to the memory in use. `keep_best`: a copy of V and U is kept.
// `heldout`: there are held-out lines, which are in memory already.
MemoryPlan word_memory(int64_t words, const SkipGramSettings& settings, bool keep_best = false,
                       bool heldout = false);

}  // namespace acevec
