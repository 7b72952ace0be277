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

// `line` without the \r of a line end \r\n.
inline std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// What a reader of lines gives, and what it refuses.
struct LineRules {
  size_t longest = kLongestLine;  // bytes of a line
  bool empty_too = false;         // give empty lines too
};

class LineReader {
 public:
  // "-" is standard input; packed files are unpacked. Throws Error as Source does.
  explicit LineReader(const std::string& path, const LineRules& rules = {})
      : input_(path), rules_(rules) {}

  // From where `input` stands.
  explicit LineReader(LookAhead input) : input_(std::move(input)) {}

  // The next line that the rules give, without its end (\n or \r\n), or nothing at the end of the
  // file. Valid until the next call. Throws Error as Source does, and when a line is too long.
  std::optional<std::string_view> next();

  // The number of that line, from 1, empty lines counted.
  int64_t number() const { return number_; }

  // Throws Error: that line cannot be used. `why` goes on: "is not UTF-8; convert the file".
  [[noreturn]] void refuse(const std::string& why) const;

  // Whether next() would return without waiting for somebody to write more, and without an Error
  // for a line that is too long.
  bool ready();

  const std::string& name() const { return input_.name(); }

 private:
  LookAhead input_;
  LineRules rules_;
  int64_t number_ = 0;
};

}  // namespace acevec
