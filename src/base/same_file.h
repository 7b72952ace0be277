// The identity and the kind of the file that a path refers to.
#pragma once

#include <string>

namespace acevec {

// The file that `path` stands for once symbolic links at its end are followed, whether it exists or
// not.
std::string without_links(const std::string& path);

// True when something is there, as far as its folder may be read.
bool exists(const std::string& path);

// True when something is there that is no regular file: a pipe, a device, a folder. To open a pipe
// may take for ever.
bool is_special_file(const std::string& path);

// True when both paths lead to the same file, whether it exists or would only be made.
bool same_file(const std::string& a, const std::string& b);

}  // namespace acevec
