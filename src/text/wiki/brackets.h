// The brackets of a UTF-8 wikitext, and the visible text of two kinds: variants, -{zh-hans:...;
// zh-hant:...}-, and templates, {{lang|fr|Odyssée}} (templates.cc).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/wiki/names.h"

namespace acevec {

inline bool is_ascii_letter(char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

// Returns whether a byte is an ASCII letter or digit, or not ASCII.
inline bool is_word_byte(char c) {
  return is_ascii_letter(c) || (c >= '0' && c <= '9') ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

// A set of bytes to look for; much faster than find_first_of().
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) has_[static_cast<unsigned char>(c)] = true;
  }

  // Returns the position of the first of these bytes at or after `at`, or the size of `text`.
  size_t find(std::string_view text, size_t at) const {
    while (at < text.size() && !has_[static_cast<unsigned char>(text[at])]) ++at;
    return at < text.size() ? at : text.size();
  }

 private:
  std::array<bool, 256> has_{};
};

// Keeps words apart when the text between them is removed: appends a space to `text` if it ends in
// a letter or digit and `next` begins with one.
inline void append_gap(std::string_view next, std::string& text) {
  if (!text.empty() && !next.empty() && is_word_byte(text.back()) && is_word_byte(next.front())) {
    text += ' ';
  }
}

struct WikiBracket {
  enum class Kind {
    kTemplate,  // {{ }}
    kTable,     // {| |}, each at a line start
    kLink,      // [[ ]]
    kVariant,   // -{ }-; `open` is at the "{"
  };
  static constexpr size_t kUnclosed = static_cast<size_t>(-1);

  Kind kind;
  size_t open;               // position of its two opening characters
  size_t close = kUnclosed;  // position of its two closing characters
  size_t next = 0;           // if closed: index of the first bracket that opens after it

  size_t content() const { return open + (kind == Kind::kVariant ? 1 : 2); }
};

// A piece of the text that a bracket shows: `before`, which is not wikitext, and then the wikitext
// from `begin` to `end`.
struct WikiPiece {
  size_t begin = 0;
  size_t end = 0;
  std::string_view before = {};
};

// Returns the brackets of `text`, including nested ones, in the order in which they open. As in
// MediaWiki, a link left open inside a template or table does not keep it from closing. `variants`:
// whether -{ }- are brackets. Takes linear time.
std::vector<WikiBracket> wiki_brackets(std::string_view text, bool variants = false);

// Iterates over the content of a closed bracket, skipping the closed brackets in it.
class BracketContent {
 public:
  // Iterates over brackets[number]. The arguments must outlive this object.
  BracketContent(std::string_view text, const std::vector<WikiBracket>& brackets, size_t number)
      : text_(text.substr(0, brackets[number].close)),
        brackets_(&brackets),
        at_(brackets[number].content()),
        next_(number + 1) {}

  size_t at() const { return at_; }
  size_t end() const { return text_.size(); }

  // Advances to the first of `marks` at or after the current position, or to end().
  size_t find(const ByteSet& marks);

  // Skips the mark that find() found.
  void pass() { ++at_; }

 private:
  std::string_view text_;
  const std::vector<WikiBracket>* brackets_;
  size_t at_;
  size_t next_;  // index of the first bracket that may open at or after at_
};

// Returns whether the wikis of `language` ("zh") have variants.
bool has_variants(std::string_view language);

// Returns the text that the variant brackets[number] shows, which may be empty. Rules show their
// text for one variant: the first in a fixed order of preference (simplified Chinese, Cyrillic), or
// else the first that they name. Text without a rule shows itself. Rules that only apply to the
// rest of the page (H, T, -) and descriptions (D, N) show nothing.
WikiPiece variant_piece(std::string_view text, const std::vector<WikiBracket>& brackets,
                        size_t number, std::string_view language);

// Returns the pieces that the template brackets[number] shows, in order and without repeats; empty
// when it shows nothing or is unknown.
std::vector<WikiPiece> template_pieces(std::string_view text,
                                       const std::vector<WikiBracket>& brackets, size_t number,
                                       const WikiNames& names);

}  // namespace acevec
