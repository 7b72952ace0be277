// Which apostrophes of a line are text.

#include "text/wiki/quotes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace acevec {
namespace {

// `line` without the marks of italics and bold.
std::string without_quotes(std::string_view line) {
  std::string out;
  QuoteRuns runs;
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find_first_not_of('\'', at), line.size());
    if (end - at >= 2) {
      runs.add(line, at, end - at, out);
      at = end;
    } else {
      if (line[at] == '\n') runs.end_line(at, out);
      out += line[at++];
    }
  }
  runs.end_line(line.size(), out);
  return out;
}

}  // namespace

TEST_CASE("runs of apostrophes are marks, and what is too many for them text") {
  for (const auto& example : std::vector<std::pair<std::string, std::string>>{
           {"''a'' '''b''' '''''c''''' d'e", "a b c d'e"},
           {"L''''a'''' ''''''b'''''''", "L'a' 'b''"},
           {"The ''Comet'''s hull", "The Comet's hull"},    // behind a word
           {"dans l'''Odyssée'' il", "dans l'Odyssée il"},  // behind a letter
           {"l'''Odyssée''", "l'Odyssée"},
           {"'''a'' b", "'a b"},
           {"x '''a'' b", "x 'a b"},                      // behind a space
           {"ab'''c de'''f ''g l'''h", "abc def g l'h"},  // the letter is worth most
           {"a '''b'''c '''d ''e", "a b'c d e"},          // a word more than a space
           {"''a'' '''b'''\n''a b'''c", "a b\na b'c"},    // lines count apart
           {"'''a", "a"},
           {"'''''a", "a"},  // nothing to choose from
       }) {
    CAPTURE(example.first);
    CHECK(without_quotes(example.first) == example.second);
  }
}

}  // namespace acevec
