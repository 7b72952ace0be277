// acevec kg: entities and relations from triples.
#pragma once

#include "cli/options.h"

namespace acevec {

// Reads triples, trains, writes the model and says how good it is. Throws UsageError or Error.
void run_kg(const Options& options);

}  // namespace acevec
