// The main job: acevec -train FILE -output FILE.
#pragma once

#include <string>
#include <vector>

namespace acevec {

// Runs it with the given arguments. Throws UsageError or Error.
void run_train(const std::vector<std::string>& arguments);

}  // namespace acevec
