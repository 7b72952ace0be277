// Files of lines, such as vocabularies, queries and tables of names: read with look-ahead, which
// detects formats, and a line at a time, so that memory does not grow with the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/source.h"

namespace acevec {

// A source of bytes with look-ahead.
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

  // Whether peek_until() would give a view without waiting for a writer. Reads bytes that are
  // there.
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

// Far longer than any line of words; a longer one means that the file is something else.
inline constexpr size_t kLongestLine = 1 << 20;

// `line` without the \r of a line end \r\n.
inline std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The lines that a reader gives and refuses.
struct LineRules {
  size_t longest = kLongestLine;  // bytes of a line
  bool empty_too = false;         // give empty lines too
};

class LineReader {
 public:
  // "-" is standard input; packed files are unpacked. Throws Error as Source does.
  explicit LineReader(const std::string& path, const LineRules& rules = {})
      : input_(path), rules_(rules) {}

  // Reads on from the place of `input`.
  explicit LineReader(LookAhead input) : input_(std::move(input)) {}

  // The next line that the rules give, without its end (\n or \r\n), or nothing at the end of the
  // file. Valid until the next call. Throws Error as Source does, and when a line is too long.
  std::optional<std::string_view> next();

  // Replaces `lines` by as many as can be read without waiting, at least one: each line that is
  // typed gets its answer at once, and a file or a program's output comes in large batches. False
  // at the end. Throws Error as next() does, when all lines before have been given out.
  bool next_batch(std::vector<std::string>& lines);

  // The number of the last line, from 1, empty lines counted.
  int64_t number() const { return number_; }

  // Throws Error: that line cannot be used. `why` goes on: "is not UTF-8; convert the file".
  [[noreturn]] void refuse(const std::string& why) const;

  // Whether next() would return without waiting for a writer, and without an Error for a line that
  // is too long.
  bool ready();

  const std::string& name() const { return input_.name(); }

 private:
  LookAhead input_;
  LineRules rules_;
  int64_t number_ = 0;
};

// Names, which may hold blanks, numbered from 0 in the order in which they come.
class Names {
 public:
  int32_t size() const { return static_cast<int32_t>(names_.size()); }
  const std::string& name(int32_t id) const { return names_[static_cast<size_t>(id)]; }
  const std::vector<std::string>& all() const { return names_; }
  int32_t find(const std::string& name) const;  // −1 when there is none
  int32_t add(const std::string& name);         // its number, a new one for a new name

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int32_t> ids_;
};

// `name` as a word of a file of vectors: white space becomes "_".
std::string as_word(std::string_view name);

// The names in the columns, separated by tabs, of the line that `lines` has just read. Throws Error
// when they are not `count`, one is empty or one is not UTF-8. `advice`: "give two names".
std::vector<std::string_view> names_on(const LineReader& lines, std::string_view line, size_t count,
                                       const std::string& advice);

}  // namespace acevec
