// Finds the matching brackets of a wikitext.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "text/wiki/bytes.h"

namespace acevec {

struct WikiBracket {
  enum class Kind {
    kTemplate,  // {{ }}
    kTable,     // {| |}, each at the start of a line
    kLink,      // [[ ]]
    kVariant,   // -{ }-, of which `open` is the "{"
  };
  static constexpr size_t kUnclosed = static_cast<size_t>(-1);

  Kind kind;
  size_t open;               // where its first two characters stand
  size_t close = kUnclosed;  // and its last two
  size_t next = 0;           // if closed: the number of the first bracket that opens behind it

  size_t content() const { return open + (kind == Kind::kVariant ? 1 : 2); }
};

// A part of what a bracket shows: `before`, which is no wikitext, and then the wikitext from
// `begin` to `end`.
struct WikiPiece {
  size_t begin = 0;
  size_t end = 0;
  std::string_view before = {};
};

// The brackets of `text` in the order in which they open, nested ones too. As in MediaWiki a link
// that a template or table leaves open does not keep it from closing. `variants`: whether -{ }- are
// brackets. Linear in the length.
std::vector<WikiBracket> wiki_brackets(std::string_view text, bool variants = false);

// A walk over what a closed bracket holds, past the closed brackets in it.
class BracketContent {
 public:
  // `number`: of the bracket, in `brackets`. All must outlive the walk.
  BracketContent(std::string_view text, const std::vector<WikiBracket>& brackets, size_t number)
      : text_(text.substr(0, brackets[number].close)),
        brackets_(&brackets),
        at_(brackets[number].content()),
        next_(number + 1) {}

  size_t at() const { return at_; }
  size_t end() const { return text_.size(); }

  // Goes on to the first of `marks` here or further on; end() when there is none.
  size_t find(const ByteSet& marks);

  // Over the mark where it stands.
  void pass() { ++at_; }

 private:
  std::string_view text_;
  const std::vector<WikiBracket>* brackets_;
  size_t at_;
  size_t next_;  // of brackets_: the first that may open at or after this place
};

}  // namespace acevec
