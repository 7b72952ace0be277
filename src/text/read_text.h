// Reads a text and reports progress: the common part of commands that read one.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "text/corpus.h"
#include "text/source.h"

namespace acevec {

// What counting words may take of `max_memory` bytes, or of those available when it is 0: a
// quarter, since adding up the threads' counts may take as much again, and at least 8 MiB.
int64_t counting_memory(int64_t max_memory = 0);

// Shows how far reading is.
ReadProgress shown_on(Progress& progress);

// Throws Error when a text that was read holds no tokens.
void require_tokens(const TextReport& report);

// Says what was dropped or repaired, where there was something.
void note_mended(const TextReport& report, Progress& progress);

}  // namespace acevec
