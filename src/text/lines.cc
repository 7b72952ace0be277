#include "text/lines.h"

#include <algorithm>

#include "base/error.h"

namespace acevec {

void LineReader::refuse(const std::string& why) const {
  const int64_t number = std::max<int64_t>(number_, 1);  // an empty file lacks its first
  throw Error(
      format("cannot use %s: line %ld %s", name().c_str(), static_cast<long>(number), why.c_str()));
}

std::optional<std::string_view> LineReader::next() {
  while (!input_.at_end()) {
    ++number_;
    const std::optional<std::string_view> line = input_.peek_until('\n', rules_.longest);
    if (!line)
      refuse(format("is longer than %zu MiB; give a file of lines", rules_.longest >> 20U));
    input_.skip(line->size() + 1);
    const std::string_view text = without_return(*line);
    if (rules_.empty_too || !text.empty()) return text;
  }
  return std::nullopt;
}

bool LineReader::ready() {
  while (input_.ready_until('\n', rules_.longest)) {
    const std::string_view line = *input_.peek_until('\n', rules_.longest);
    if (input_.at_end() || rules_.empty_too || !without_return(line).empty()) return true;
    input_.skip(line.size() + 1);
    ++number_;
  }
  return false;
}

}  // namespace acevec
