// The memory that training will need, known before it starts.
#pragma once

#include <cstdint>

#include "tasks/word/skip_gram.h"
#include "train/memory_plan.h"

namespace acevec {

// What training `words` words adds to the memory in use. `subword_rows`: those of V beside the
// words'. `keep_best`: a copy of V and U is kept. `heldout`: there are held-out lines, which are in
// memory already.
MemoryPlan word_memory(int64_t words, const SkipGramSettings& settings, int64_t subword_rows = 0,
                       bool keep_best = false, bool heldout = false);

}  // namespace acevec
