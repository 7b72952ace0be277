// The words of a text of which each process has counted a part.
#pragma once

#include <cstdint>

#include "cluster/peers.h"
#include "text/word_counts.h"

namespace acevec {

struct MergeSettings {
  int threads = 1;
  int64_t counting_bytes = 0;  // what a process may take for the words that it adds up
  int64_t min_count = 1;
  int64_t max_words = 0;  // 0: no limit
};

// What total_counts() has for the whole text, in every process. Each word has an owner, found by
// its hash, who adds up its counts, so that no process holds all words of all; what the vocabulary
// is made of goes to everyone. Throws Error when a temporary file fails.
WordTotals total_counts_of_all(const WordCounts& own, const MergeSettings& settings, Peers& peers);

}  // namespace acevec
