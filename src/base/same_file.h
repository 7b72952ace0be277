// The identity and the kind of the file that a path refers to.
#pragma once

#include <string>

namespace acevec {

// The name of an input file in messages: "standard input" for "-", else the path.
std::string input_name(const std::string& path);

// Follows symbolic links at the end of `path`, whether or not the file exists.
std::string without_links(const std::string& path);

// True when the path exists; false if its folder may not be read.
bool exists(const std::string& path);

// True when the path exists and is not a regular file: a pipe, a device, a folder. Opening a pipe
// may block forever.
bool is_special_file(const std::string& path);

// The descriptor of this process that a path such as /dev/stdout or /dev/fd/3 names, or -1.
int descriptor_named(const std::string& path);

// True when both paths lead to the same file, whether or not it exists.
bool same_file(const std::string& a, const std::string& b);

}  // namespace acevec
