// A small file, read whole, as its lines: for tables such as vocabularies and lists of pairs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace acevec {

struct Line {
  int64_t number;  // from 1, empty lines counted, for messages
  std::string_view text;
};

// The lines of `text` that are not empty, which point into it, without their ends (\n or \r\n).
std::vector<Line> lines_of(std::string_view text);

}  // namespace acevec
