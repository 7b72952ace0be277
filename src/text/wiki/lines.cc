#include "text/wiki/markup.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "text/wiki/brackets.h"

namespace acevec {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The bytes that append_tidy() handles; it copies the others.
constexpr ByteSet kTidied(" \t\r,.;)");

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// Appends `raw` with single spaces, no space before closing punctuation, and no brackets that only
// had templates inside: "Albedo ( ; ) is" -> "Albedo is".
void append_tidy(std::string_view raw, std::string& text) {
  const size_t start = text.size();
  const auto last_is = [&](char c) { return text.size() > start && text.back() == c; };
  for (size_t at = 0; at < raw.size(); ++at) {
    const size_t next = kTidied.find(raw, at);
    text += raw.substr(at, next - at);
    at = next;
    if (at == raw.size()) break;
    const char c = raw[at];
    if (is_blank(c)) {
      if (text.size() > start && !last_is(' ') && !last_is('(')) text += ' ';
      continue;
    }
    const bool ends = at + 1 == raw.size() || is_blank(raw[at + 1]) || raw[at + 1] == ')';
    if ((c == ',' || c == ';') && last_is('(')) continue;
    if (c == ')' && last_is(' ')) text.pop_back();
    if (c == ')' && last_is('(')) {
      text.pop_back();
      continue;
    }
    if ((c == ',' || c == '.' || c == ';') && ends && last_is(' ')) text.pop_back();
    text += c;
  }
  if (last_is(' ')) text.pop_back();
}

class Paragraphs {
 public:
  explicit Paragraphs(std::string& text) : text_(text) {}
  ~Paragraphs() { finish(); }
  Paragraphs(const Paragraphs&) = delete;
  Paragraphs& operator=(const Paragraphs&) = delete;

  void add_line(std::string_view raw) {
    std::string_view line = trimmed(raw, kBlanks);
    if (line.empty()) return finish();
    if (line.front() == '=' && add_heading(line)) return;
    const size_t marks = std::min(line.find_first_not_of("*#:; \t"), line.size());
    if (line.starts_with("----")) {
      line.remove_prefix(std::min(line.find_first_not_of('-'), line.size()));
      finish();
    } else if (marks > 0) {
      line.remove_prefix(marks);
      finish();
    }
    // Cells of a table that is never closed.
    const bool cells = line.starts_with('|') ||
                       (line.starts_with('!') && line.find("!!") != std::string_view::npos);
    if (!cells) paragraph_.append(line) += ' ';
    if (marks > 0) finish();
  }

 private:
  // Adds a heading, "== Text =="; returns false if the line is none.
  bool add_heading(std::string_view line) {
    constexpr size_t kLevels = 6;
    const size_t before = std::min(line.find_first_not_of('='), line.size());
    const size_t after = line.size() - 1 - std::min(line.find_last_not_of('='), line.size() - 1);
    const size_t level = std::min({before, after, kLevels});
    if (level == 0 || before == line.size()) return false;
    finish();
    while (!headings_.empty() && headings_.back().first >= level) headings_.pop_back();
    headings_.emplace_back(level, line.substr(level, line.size() - 2 * level));
    return true;
  }

  void finish() {
    if (std::ranges::any_of(paragraph_, is_word_byte)) {
      for (const auto& [level, heading] : headings_) write(heading);
      headings_.clear();
      write(paragraph_);
    }
    paragraph_.clear();
  }

  void write(std::string_view raw) {
    const size_t start = text_.size();
    append_tidy(raw, text_);
    if (text_.size() > start) text_ += '\n';
  }

  std::string& text_;
  std::string paragraph_;
  std::vector<std::pair<size_t, std::string>> headings_;  // without text so far; levels ascend
};

}  // namespace

void append_paragraphs(std::string_view lines, std::string& text) {
  Paragraphs paragraphs(text);
  while (!lines.empty()) paragraphs.add_line(take_part(lines, '\n'));
}

}  // namespace acevec
