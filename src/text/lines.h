// Files of lines, such as vocabularies, lists of pairs and queries: read a line at a time, so that
// memory does not grow with the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "text/look_ahead.h"

namespace acevec {

// Far longer than any line of words; a longer one means that the file is something else.
inline constexpr size_t kLongestLine = 1 << 20;

struct Line {
  int64_t number;  // from 1, empty lines counted, for messages
  std::string_view text;
};

// Throws Error: line `number`, from 1, of the file `name` has more than `most` bytes.
[[noreturn]] void refuse_long_line(const std::string& name, int64_t number, size_t most);

// `line` without the \r of a line end \r\n.
inline std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

class LineReader {
 public:
  // "-" is standard input; gzip is unpacked. Throws Error as Source does.
  explicit LineReader(const std::string& path) : input_(path) {}

  // From where `input` stands.
  explicit LineReader(LookAhead input) : input_(std::move(input)) {}

  // The next line that is not empty, without its end (\n or \r\n), or nothing at the end of the
  // file. Valid until the next call. Throws Error as Source does, and when a line is longer than
  // kLongestLine.
  std::optional<Line> next();

  // Throws Error: that line cannot be used. `why` goes on: "is not UTF-8; convert the file".
  [[noreturn]] void refuse(const std::string& why) const;

  // Whether next() would return without waiting for somebody to write more, and without an Error
  // for a line that is too long.
  bool ready();

  const std::string& name() const { return input_.name(); }

 private:
  LookAhead input_;
  int64_t number_ = 0;
};

}  // namespace acevec
