// Runs of apostrophes in wikitext, which mean italics and bold, and apostrophes that are text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace acevec {

// MediaWiki's rule for the runs of a line: two apostrophes are italics, three bold, five both; the
// first of four, and of more than five all but the last five, are text. Where the line has an odd
// number of both marks, one bold is an apostrophe and italics: the first behind a word of one
// letter ("l'''Odyssée''"), else behind a longer word ("''Comet'''s"), else behind a space.
class QuoteRuns {
 public:
  // A run of `count` ≥ 2 at text[at]; appends the apostrophes of it that are text.
  void add(std::string_view text, size_t at, size_t count, std::string& out);

  // The line ends before text[at]: puts the apostrophe of that bold to where it belongs in `out`,
  // to which the line has been appended.
  void end_line(size_t at, std::string& out);

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  size_t after_ = 0;  // where the text behind the last run or line end begins
  bool odd_bold_ = false, odd_italics_ = false;
  size_t behind_letter_ = kNone, behind_word_ = kNone, behind_space_ = kNone;  // in `out`
};

}  // namespace acevec
