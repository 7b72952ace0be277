// acevec analogy VECTORS QUESTIONS: accuracy on analogy questions.
#pragma once

#include "cli/options.h"

namespace acevec {

// Its option table.
extern const Command kAnalogyCommand;

// Prints a line for each section of the questions, for all semantic and all syntactic ones, and for
// all. Throws UsageError or Error; Error when no question can be answered.
void run_analogy(const Options& options);

}  // namespace acevec
