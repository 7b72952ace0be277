#include "text/lines.h"

#include <algorithm>

namespace acevec {

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  int64_t number = 0;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back({number, line});
  }
  return lines;
}

}  // namespace acevec
