// The memory that training will need, known before it starts.
#pragma once

#include <cstdint>

#include "word/settings.h"

namespace acevec {

// What training adds to the memory in use, in bytes.
struct TrainingMemory {
  // V and U, 2 · words · padded(size) · 4, with Adam two moments of each, and copies that are kept.
  int64_t matrices;
  int64_t
      tables;  // noise, subsampling and what they are built from: 48 · words, 52 with corrections
  int64_t threads;    // the copies of rows that threads work on, and a chunk of ids each
  int64_t adversary;  // the filter of observed pairs and the generator
  int64_t total() const { return matrices + tables + threads + adversary; }
};

// `copies`: matrices that are kept besides V and U, as -patience does. `heldout`: there are
// held-out lines (which are in memory already).
TrainingMemory training_memory(int64_t words, const SkipGramSettings& settings, int64_t copies = 0,
                               bool heldout = false);

}  // namespace acevec
