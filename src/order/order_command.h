// acevec order: concepts from pairs "specific -> general".
#pragma once

#include <string>
#include <vector>

namespace acevec {

// Reads pairs, trains, writes vectors and says how good they are; with "query" as first argument,
// run_order_query(). Throws UsageError or Error.
void run_order(const std::vector<std::string>& arguments);

}  // namespace acevec
