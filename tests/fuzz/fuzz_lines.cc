// Lines of any bytes, against a simple reader of them.

#include <utility>
#include <vector>

#include "fuzz.h"
#include "text/lines.h"

namespace acevec {
namespace {

using Lines = std::vector<std::pair<int64_t, std::string>>;

Lines slow_lines(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Lines lines;
  for (int64_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_return(text.substr(0, end));
    if (!line.empty()) lines.emplace_back(number, line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const std::string_view bytes = view_of(data, size);
  const MemoryFile file(bytes);
  accepted([&] {
    LineReader reader(file.path());
    Lines lines;
    while (reader.ready()) {
      const std::optional<std::string_view> line = reader.next();
      if (!line) break;
      lines.emplace_back(reader.number(), *line);
    }
    REQUIRE_ALWAYS(bytes.starts_with("\x1f\x8b") || lines == slow_lines(bytes));
  });
  return 0;
}
