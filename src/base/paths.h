// Lists of paths as a command line has them.
#pragma once

#include <string>
#include <vector>

namespace acevec {

// The paths of a list with commas between them. A text that is itself the name of a file is one
// path, commas and all. Throws Error when a path is empty.
std::vector<std::string> split_paths(const std::string& typed);

}  // namespace acevec
