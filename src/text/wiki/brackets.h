// Finds the matching brackets of a wikitext.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace acevec {

struct WikiBracket {
  enum class Kind {
    kTemplate,  // {{ }}
    kTable,     // {| |}, each at the start of a line
    kLink,      // [[ ]]
  };
  static constexpr size_t kUnclosed = static_cast<size_t>(-1);

  Kind kind;
  size_t open;               // where its first two characters stand
  size_t close = kUnclosed;  // and its last two
};

// The brackets of `text` in the order in which they open, nested ones too. As in MediaWiki a link
// that a template or table leaves open does not keep it from closing. Linear in the length.
std::vector<WikiBracket> wiki_brackets(std::string_view text);

}  // namespace acevec
