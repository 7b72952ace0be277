// Tests of text/wiki_*: each rule of the markup, markup in markup, and markup that is broken.

#include "text/wiki/markup.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace acevec {
namespace {

using Cases = std::vector<std::pair<std::string, std::string>>;

std::string plain(std::string_view wikitext, const WikiNames& names = {}) {
  std::string text;
  append_plain_text(wikitext, names, text);
  return text;
}

void check(const Cases& cases) {
  for (const auto& row : cases) {
    CAPTURE(row.first);
    CHECK(plain(row.first) == row.second);
  }
}

std::string repeated(std::string_view part, size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

}  // namespace

TEST_CASE("wiki templates go with all that is in them") {
  check({{"a {{x}} b", "a b\n"},
         {"a {{x|y={{z|[[q]]}}|\n* w}} b", "a b\n"},
         {"a{{x}}b", "a b\n"},
         {"a{{x}}, b {{x}}.", "a, b.\n"},
         {"{{Infobox\n| a = b\n| c = {{d}}\n}}\nText", "Text\n"},
         {"a {{x|[[unclosed}} b", "a b\n"},
         {"{{x}}", ""},
         {"a {b} c }", "a {b} c }\n"}});
}

TEST_CASE("wiki tables go with those in them") {
  check({{"a\n{| class=x\n|-\n! h\n| [[c]]\n|}\nb", "a\nb\n"},
         {"{|\n|\n{|\n| in\n|}\n| out\n|}\nb", "b\n"},
         {":{|\n| x\n|}\nb", "b\n"},
         {"{|\n| {{t|x}} [[open\n|}\nb", "b\n"},
         {"{{t|\n{|\n| x\n|}}\nb", "b\n"},
         {"{{t|a|}} b", "b\n"},
         {"set {|x|} in a line", "set {|x|} in a line\n"},
         {"<table><tr><td>x</td></tr></table>y", "y\n"}});
}

TEST_CASE("wiki references and comments and formulas go") {
  check({{"a<ref>{{cite|b}}</ref> c", "a c\n"},
         {"a<ref name=\"x\" /> c<REF name=y>z</Ref >.", "a c.\n"},
         {"a<!-- b\n\n{{ -->c", "ac\n"},
         {"a\n<!-- b -->\nc", "a c\n"},
         {"a <!-- never closed", "a\n"},
         {"E = <math>\\frac{{a}}{b}}</math> so", "E = so\n"},
         {"<gallery>\nFile:a.jpg|b\n</gallery>x", "x\n"},
         {"<syntaxhighlight lang=\"c\">int [[x]];</syntaxhighlight><source>y</source>"
          "<code>z</code>t",
          "t\n"},
         {"a <references/> b", "a b\n"},
         {"a <ref>never closed b", "a never closed b\n"},
         {"a <reference>kept</reference>", "a kept\n"}});
}

TEST_CASE("of wiki links the text stays") {
  check({{"[[light]] [[light|lights]] [[cat]]s", "light lights cats\n"},
         {"[[a|''b'' {{c}}d]] [[#part]] [[:File:x.jpg]] [[:de:x]]", "b d part File:x.jpg de:x\n"},
         {"[http://x.org the text] [http://x.org] [//x.org/y z] [mailto:a@b c]", "the text z c\n"},
         {"see http://x.org here", "see http://x.org here\n"},
         {"[1] a[i] [https://x.org ''b'' [[c]]] [d]", "[1] a[i] b c [d]\n"},
         {"[http://x.org unclosed\n[a]", "unclosed [a]\n"},
         {"[[Portal:X|y]] [[wikt:word|w]]", "y w\n"}});
}

TEST_CASE("wiki links to files and categories and languages go") {
  check({{"a [[File:x.jpg|thumb|a [[b]] ''c'' [http://d e]]] f", "a f\n"},
         {"[[image:x.png]]a[[ Category : y|z]]", "a\n"},
         {"a [[de:Titel]][[zh-min-nan:T]][[simple:T]]", "a\n"},
         {"[[Picture:x.JPG|thumb|y]] a", "a\n"},
         {"a [[File:x.jpg|thumb|never closed\nb", "a b\n"},
         {"[[Star Trek: Voyager]] [[mw:Help]] [[A:b.c]]", "Star Trek: Voyager mw:Help A:b.c\n"}});
  WikiNames names;
  names.add(6, "Файл");
  names.add(14, "Категория");
  names.add(6, "Datei-Name");
  CHECK(plain("[[файл:x|y [[z]]]]а [[Категория:x]][[datei-name:x]]", names) == "а\n");
}

TEST_CASE("wiki quotes and magic words and tags go") {
  check({{"''a'' '''b''' '''''c''''' d'e", "a b c d'e\n"},
         {"L''''Église''''\n''''''x", "L'Église' 'x\n"},
         {"__NOTOC__a __ОГЛ__ __init__ x__y", "a __init__ x__y\n"},
         {"a<br />b<sup>2</sup> <small class=x>c</small> <b>d</b>", "a b2 c d\n"},
         {"a<div>b</div>c<p>d", "a\nb\nc\nd\n"},
         {"1 < 2 <3> a<b and <a href", "1 < 2 <3> a<b and <a href\n"},
         {"<nowiki>[[a]] ''b'' {{c}} &amp;</nowiki> [[d]]", "[[a]] ''b'' {{c}} &amp; d\n"},
         {"caf&eacute; &amp;nbsp; &lt;ref&gt; 1\u00a0km", "café <ref> 1 km\n"}});
}

TEST_CASE("wiki quotes that are apostrophes stay, in links and templates and beside elements") {
  check({{"The ''Comet'''s engine", "The Comet's engine\n"},
         {"l'''Odyssée''\nl'''[[Odyssée]]''", "l'Odyssée l'Odyssée\n"},
         {"{{lang|fr|l'''Odyssée''}} ''a''", "l'Odyssée a\n"},
         {"''a''<nowiki/>'s ''b''<nowiki></nowiki>'s", "a's b's\n"},
         {"''a''<ref>x</ref>''b'' ''c''{{'}}s ''d''{{'s}}", "ab c's d's\n"},
         {"<nowiki>''</nowiki>''a''", "''a\n"}});
}

TEST_CASE("wiki templates show their text as wikitext, in what they stand in") {
  check({{"At {{convert|1300|mi|km}}, {{lang|fr|a [[b|c]] ''d''<ref>x</ref>}}s",
          "At 1300 mi, a c ds\n"},
         {"{{lang|de|{{nowrap|a {{small|b}}{{x}}}}}}.", "a b.\n"},
         {"{{quote|a\n\nb\n* c}}", "a\nb\nc\n"},
         {"[[a{{nowrap|x|y}}|b]] [[{{nowrap|c}}]] {{nowrap|[http://x d]}} e]", "b c d e]\n"},
         {"{{lang|fr|[[a|b}} c {{lang|fr|d", "a c lang|fr|d\n"},
         {"{{lang|2={{small|a}}|1=b}} {{sortname|2=a|1=b [[c]]}} [[d|e]]", "a b c a e\n"},
         {"{{lang|fr|\n{|\n| x\n|}\n}} {{lang|fr|\n{|}} y", "y\n"}});
}

TEST_CASE("wiki variants are one of them, in wikis that have any") {
  WikiNames chinese;
  chinese.set_language("zh");
  CHECK(plain("个-{zh-hans:[[甲|乙]]; zh-hant:丙}-很-{丁}-。-{H|zh-cn:a}-", chinese) ==
        "个乙很丁。\n");
  CHECK(plain("[[-{zh-hant:甲;zh-hans:乙}-|丙]][[-{zh-hans:丁;zh-hant:甲}-]]", chinese) ==
        "丙丁\n");
  CHECK(plain("-{zh-hans:甲-{zh-hant:乙;zh-hans:丙}-;zh-hant:戊}- -{a", chinese) == "甲丙 a\n");
  CHECK(plain("-{{lang|en|x}}- {{lang|en|-{zh:y|z}-}}", chinese) == "-x- z\n");
  CHECK(plain("-{zh-hans:a;zh-hant:b}-") == "-{zh-hans:a;zh-hant:b}-\n");
}

TEST_CASE("wiki lines become paragraphs, without what templates leave behind") {
  check({{"== A ==\n=== B ===\ntext\n== See also ==\n{{x}}\n", "A\nB\ntext\n"},
         {"a ({{b}}) c (; d) ( {{e}}, f )", "a c (d) (f)\n"},
         {"{{a}}.\n\n—\n\nthe .NET x", "—\nthe .NET x\n"}});
}

TEST_CASE("wiki markup that is not closed leaves the text around it") {
  check({{"a {{b c\n\nd", "a b c\nd\n"},
         {"a }} b ]] c", "a b c\n"},
         {"a [[b c\nd", "a b c d\n"},
         {"a [[b|c\nd", "a c d\n"},
         {"{| class=x\n|-\n| cell\n! a !! b\ntext", "text\n"},
         {"{{{1|x}}} y", "} y\n"},
         {"a <b", "a <b\n"},
         {"a [", "a [\n"}});
}

TEST_CASE("wiki markup of any kind and number takes linear time and no stack") {
  // If it took quadratic time, minutes; if a stack frame for each, more than there are.
  constexpr size_t kBytes = 1 << 18;
  WikiNames names;
  names.set_language("zh");
  for (const std::string_view part : {"{{",
                                      "}}",
                                      "[[",
                                      "]]",
                                      "[[a|",
                                      "{|\n",
                                      "\n{|",
                                      "\n|}",
                                      "{{\n{|[[",
                                      "<ref>",
                                      "</ref>",
                                      "<!--",
                                      "<",
                                      "<b",
                                      "''",
                                      "'",
                                      "&",
                                      "&amp;",
                                      "amp;",
                                      "&#",
                                      "_",
                                      "__",
                                      "__A",
                                      "[http://a ",
                                      "[",
                                      "(",
                                      "()",
                                      "= ",
                                      "==\n",
                                      "=a=\n",
                                      "*",
                                      "\n",
                                      " ",
                                      "|",
                                      "<ref><math>",
                                      "[[File:a|",
                                      "[[a:",
                                      "\xc2",
                                      "<nowiki>",
                                      "{{x}}",
                                      "(;",
                                      "<ref/>",
                                      "-{",
                                      "-{zh:",
                                      "}-",
                                      ";",
                                      "-{zh:a;zh:b;",
                                      "{{lang|fr|",
                                      "{{lang|",
                                      "{{sortname|2=",
                                      "{{lang|fr|a}}",
                                      "{{lang|2=x|1=",
                                      "{{snd}}",
                                      "-{}-",
                                      "{{sortname|2=a|1=",
                                      "l'''a''\n",
                                      "[[-{a|",
                                      "{{convert|1|to|",
                                      "{{lang|fr|[[",
                                      "-{zh:;",
                                      "{{lang|fr|\n{|"}) {
    CAPTURE(part);
    const std::string hostile = repeated(part, kBytes);
    CHECK(plain(hostile).size() <= hostile.size() + 1);
    CHECK(plain("text\n\n" + hostile).starts_with("text"));
    CHECK(plain(hostile + "}}]]\n|}</ref>-->").size() <= hostile.size() + 20);
    for (const std::string_view end : {"}}", "}-", "]]"}) {
      CHECK(plain(hostile + repeated(end, kBytes), names).size() <= 2 * kBytes + 1);
    }
  }
}

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
           {"''a'' '''b'''\n''a b'''c", "a b a b'c"},     // lines count apart
           {"'''a", "a"},
           {"'''''a", "a"},  // nothing to choose from
       }) {
    CAPTURE(example.first);
    CHECK(plain(example.first) == example.second + "\n");
  }
}

}  // namespace acevec
