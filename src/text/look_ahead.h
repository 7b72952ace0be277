// A source of bytes with look-ahead, to detect formats.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/source.h"

namespace acevec {

class LookAhead {
 public:
  // "-" is standard input. Throws Error as Source does.
  explicit LookAhead(const std::string& path) : source_(path) {}

  // At least `size` bytes from the current place, fewer only at the end of the file. Valid until
  // the next peek.
  std::string_view peek(size_t size);

  // The bytes up to the next `mark`, looking at most `limit` bytes ahead; up to the end of the file
  // when there is none before it. Takes time and memory for the bytes up to the mark, and a step.
  std::optional<std::string_view> peek_until(char mark, size_t limit);

  // Whether peek_until() would give a view without waiting for somebody to write more. Reads what
  // is there already.
  bool ready_until(char mark, size_t limit);

  // Moves on by `size` bytes that have been peeked at, or to their end.
  void skip(size_t size);

  bool at_end() { return peek(1).empty(); }
  const std::string& name() const { return source_.name(); }

 private:
  std::string_view rest() const { return std::string_view(buffer_).substr(at_); }
  bool read_more();
  size_t find(char mark, size_t limit, bool wait);

  Source source_;
  std::string buffer_;
  size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace acevec
