// Elements whose content is no text go, with all that is in them.

#include "text/wiki/elements.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace acevec {

TEST_CASE("hidden elements go with what is in them, and others stay") {
  for (const auto& example : std::vector<std::pair<std::string, std::string>>{
           {"a<ref>[[b]] {{c}}</ref>d", "a d"},
           {"a<REF name=x>b</Ref >, c<ref name=x />.", "a, c."},
           {"a <references/> <reference>b</reference>", "a  <reference>b</reference>"},
           {"<b>a</b> <ref", "<b>a</b> <ref"},
           {"a<ref>b <math>c</math> d", "ab  d"},
           {"<math>a</ref>b</math>c", "c"},
           {"a<!-- <ref> -->b", "ab"},
           {"a\n<!-- b -->\nc", "a\nc"},
           {"a<!-- b", "a"},
           {"<nowiki>[a] & ''</nowiki>", "&#91;a&#93; &#38; &#39;&#39;"},
           {"<ref>", ""},
           {"''a''<nowiki/>'s", "''a''&shy;'s"},
           {"'<nowiki></nowiki>'<ref>x</ref>'<!-- -->'", "'&shy;'&shy;''"},
       }) {
    const std::string& wikitext = example.first;
    CAPTURE(wikitext);
    CHECK(without_hidden_elements(wikitext) == example.second);
  }
}

}  // namespace acevec
