// Elements whose content is no text go, with all that is in them.
// Tests of text/entities: names, numbers, escapes of escapes, and what is no reference.

#include "text/wiki/markup.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace acevec {
namespace {

// All references of `text` decoded, as a caller does it.
std::string decoded(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = text[at] == '&' ? decode_entity(text.substr(at), out) : 0;
    if (length == 0) out += text[at];
    at += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace

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

TEST_CASE("references stand for their characters") {
  for (const auto& row : std::vector<std::pair<std::string, std::string>>{
           {"caf&eacute;", "café"},
           {"&AElig;&zwnj;&Alpha;&thetasym;", "Æ\u200cΑϑ"},
           {"&lt;b&gt; &quot;x&quot; &amp; &apos;y&apos;", "<b> \"x\" & 'y'"},
           {"&#233;&#xe9;&#XE9;&#x1F600;", "ééé😀"},
           {"1&nbsp;&#160;&thinsp;2", "1   2"},
           {"un&shy;hap&#8203;py&lrm;", "unhappy"},
           {"&amp;nbsp;|&amp;amp;amp;eacute;", " |é"},
           {"&amp;amp;", "&"},
           {"R&D; AT&T &c. & &;", "R&D; AT&T &c. & &;"},
           {"&eacute &EACUTE; &nonsense;", "&eacute &EACUTE; &nonsense;"},
           {"&#; &#x; &#xd800; &#x110000; &#-5; &#99999999999;",
            "&#; &#x; &#xd800; &#x110000; &#-5; &#99999999999;"},
           {"&amp;nonsense;&amp;", "&nonsense;&"},
       }) {
    CAPTURE(row.first);
    CHECK(decoded(row.first) == row.second);
  }
}

}  // namespace acevec
