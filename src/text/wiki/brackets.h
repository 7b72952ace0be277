// The brackets of a wikitext, which is UTF-8, and the text that a reader sees of two kinds,
// variants,
// -{zh-hans:...; zh-hant:...}-, and templates, {{lang|fr|Odyssée}} (templates.cc).
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

// Whether a byte is an ASCII letter or digit, or not ASCII.
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

  // The place of the first of them at or after `at`; the size of `text` when there is none.
  size_t find(std::string_view text, size_t at) const {
    while (at < text.size() && !has_[static_cast<unsigned char>(text[at])]) ++at;
    return at < text.size() ? at : text.size();
  }

 private:
  std::array<bool, 256> has_{};
};

// Keeps words apart whose text between is removed: appends a space to `text` when it ends in a
// letter or digit and `next` begins with one.
inline void append_gap(std::string_view next, std::string& text) {
  if (!text.empty() && !next.empty() && is_word_byte(text.back()) && is_word_byte(next.front())) {
    text += ' ';
  }
}

struct WikiBracket {
  enum class Kind {
    kTemplate,  // {{ }}
    kTable,     // {| |}, each at the start of a line
    kLink,      // [[ ]]
    kVariant,   // -{ }-, of which `open` is the "{"
  };
  static constexpr size_t kUnclosed = static_cast<size_t>(-1);

  Kind kind;
  size_t open;               // the place of its first two characters
  size_t close = kUnclosed;  // and of its last two
  size_t next = 0;           // if closed: the number of the first bracket that opens behind it

  size_t content() const { return open + (kind == Kind::kVariant ? 1 : 2); }
};

// A part of the text that a bracket shows: `before`, which is no wikitext, and then the wikitext
// from `begin` to `end`.
struct WikiPiece {
  size_t begin = 0;
  size_t end = 0;
  std::string_view before = {};
};

// The brackets of `text` in the order in which they open, nested ones too. As in MediaWiki a link
// that a template or table leaves open does not keep it from closing. `variants`: whether -{ }- are
// brackets. Linear in the length.
std::vector<WikiBracket> wiki_brackets(std::string_view text, bool variants = false);

// A walk over the content of a closed bracket, past the closed brackets in it.
class BracketContent {
 public:
  // Walks over brackets[number]. The arguments must outlive the walk.
  BracketContent(std::string_view text, const std::vector<WikiBracket>& brackets, size_t number)
      : text_(text.substr(0, brackets[number].close)),
        brackets_(&brackets),
        at_(brackets[number].content()),
        next_(number + 1) {}

  size_t at() const { return at_; }
  size_t end() const { return text_.size(); }

  // Goes on to the first of `marks` here or further on; end() when there is none.
  size_t find(const ByteSet& marks);

  // Goes past the mark that it has found.
  void pass() { ++at_; }

 private:
  std::string_view text_;
  const std::vector<WikiBracket>* brackets_;
  size_t at_;
  size_t next_;  // of brackets_: the first that may open at or after this place
};

// Whether the wikis of `language` ("zh") have variants.
bool has_variants(std::string_view language);

// The text that the variant brackets[number] shows, which may be none. A rule shows its text for
// one variant: the first of a fixed order that it has (simplified Chinese, Cyrillic), or else the
// one that it names first. Text without a rule shows itself. Rules that are only for the rest of
// the page (H, T, -) and those that describe (D, N) show nothing.
WikiPiece variant_piece(std::string_view text, const std::vector<WikiBracket>& brackets,
                        size_t number, std::string_view language);

// The pieces that the template brackets[number] shows, in order and none twice; empty when it shows
// nothing or is not known.
std::vector<WikiPiece> template_pieces(std::string_view text,
                                       const std::vector<WikiBracket>& brackets, size_t number,
                                       const WikiNames& names);

}  // namespace acevec
