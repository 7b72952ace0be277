// The memory that training word vectors takes, estimated before it starts.
#pragma once

#include <cstdint>

#include "tasks/word/skip_gram.h"
#include "train/memory_plan.h"

namespace acevec {

// The memory that training `words` words adds to that in use. `subword_rows`: those of V beside the
// words'. `keep_best`: a copy of V and U is kept. `heldout`: there are held-out lines, which are in
// memory already.
MemoryPlan word_memory(int64_t words, const SkipGramSettings& settings, int64_t subword_rows = 0,
                       bool keep_best = false, bool heldout = false);

}  // namespace acevec
