// Line-based files, such as vocabularies, queries and tables of names, read with look-ahead, which
// detects formats, and one line at a time, so that memory does not grow with the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "text/source.h"

namespace acevec {

// A source of bytes with look-ahead.
class LookAhead {
 public:
  // "-" is standard input. Throws Error like Source.
  explicit LookAhead(const std::string& path) : source_(path) {}

  // Returns at least `size` bytes from the current position, fewer only at the end of the file.
  // Valid until the next peek.
  std::string_view peek(size_t size);

  // Returns the bytes before the next `mark`, looking at most `limit` bytes ahead, or up to the end
  // of the file if that comes first; otherwise nothing. Takes time and memory for the bytes up to
  // the mark and one read.
  std::optional<std::string_view> peek_until(char mark, size_t limit);

  // Returns whether peek_until() would return a view without waiting for a writer. Reads available
  // bytes.
  bool ready_until(char mark, size_t limit);

  // Skips `size` bytes that have been peeked at, at most up to their end.
  void skip(size_t size) { at_ = std::min(at_ + size, buffer_.size()); }

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

// Far longer than any line of words; a longer line means that the file is something else.
inline constexpr size_t kLongestLine = 1 << 20;

// Returns `line` without the \r of a line end \r\n.
inline std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Which lines a reader returns or refuses.
struct LineRules {
  size_t longest = kLongestLine;  // maximum bytes of a line
  bool empty_too = false;         // return empty lines too
};

class LineReader {
 public:
  // "-" is standard input; packed files are unpacked. Throws Error like Source.
  explicit LineReader(const std::string& path, const LineRules& rules = {})
      : input_(path), rules_(rules) {}

  // Continues from the position of `input`.
  explicit LineReader(LookAhead input) : input_(std::move(input)) {}

  // Returns the next line that the rules allow, without its end (\n or \r\n), or nothing at the end
  // of the file. Valid until the next call. Throws Error like Source, and when a line is too long.
  std::optional<std::string_view> next();

  // Replaces `lines` by as many lines as can be read without waiting, at least one: a typed line is
  // answered at once, and a file or another program's output comes in large batches. Returns false
  // at the end. Throws Error like next(), once all lines before the error have been returned.
  bool next_batch(std::vector<std::string>& lines);

  // Returns whether a batch of `lines` lines should have another: one can be read without waiting,
  // or hardly so where there were many.
  bool joins_batch(size_t lines);

  // The number of the last line, from 1, including empty lines.
  int64_t number() const { return number_; }

  // Throws Error about the last line. `why` continues the message: "is not UTF-8; convert the
  // file".
  [[noreturn]] void refuse(const std::string& why) const;

  // Returns whether next() would return without waiting for a writer, and without an Error for a
  // line that is too long.
  bool ready();

  const std::string& name() const { return input_.name(); }

 private:
  LookAhead input_;
  LineRules rules_;
  int64_t number_ = 0;
};

// Names, which may have blanks, numbered from 0 in order of first appearance.
class Names {
 public:
  int32_t size() const { return static_cast<int32_t>(names_.size()); }
  const std::string& name(int32_t id) const { return names_[static_cast<size_t>(id)]; }
  const std::vector<std::string>& all() const { return names_; }
  int32_t find(const std::string& name) const;  // −1 when there is none
  int32_t add(const std::string& name);         // the id, a new one for a new name

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int32_t> ids_;
};

// Returns `name` as a word of a vector file: white space becomes "_".
std::string as_word(std::string_view name);

// Notes that the first line of a file may be titles: no other line has one of its names, which are
// shown as `names`. `advice`: "remove it".
void note_possible_titles(const std::string& path, const std::string& names, const char* advice,
                          Progress& progress);

}  // namespace acevec
