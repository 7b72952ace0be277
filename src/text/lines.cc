#include "text/lines.h"

#include <algorithm>

#include "base/error.h"

namespace acevec {

void refuse_long_line(const std::string& name, int64_t number, size_t most) {
  throw Error(format("cannot use %s: line %ld is longer than %zu MiB; give a file of lines",
                     name.c_str(), static_cast<long>(number), most >> 20U));
}

void LineReader::refuse(const std::string& why) const {
  const int64_t number = std::max<int64_t>(number_, 1);  // an empty file lacks its first
  throw Error(
      format("cannot use %s: line %ld %s", name().c_str(), static_cast<long>(number), why.c_str()));
}

std::optional<Line> LineReader::next() {
  while (!input_.at_end()) {
    ++number_;
    const std::optional<std::string_view> line = input_.peek_until('\n', kLongestLine);
    if (!line) refuse_long_line(name(), number_, kLongestLine);
    input_.skip(line->size() + 1);
    const std::string_view text = without_return(*line);
    if (!text.empty()) return Line{number_, text};
  }
  return std::nullopt;
}

bool LineReader::ready() {
  while (input_.ready_until('\n', kLongestLine)) {
    const std::string_view line = *input_.peek_until('\n', kLongestLine);
    if (input_.at_end() || !without_return(line).empty()) return true;
    input_.skip(line.size() + 1);
    ++number_;
  }
  return false;
}

}  // namespace acevec
