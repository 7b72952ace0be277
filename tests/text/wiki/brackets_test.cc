// Brackets that match, and those that are left open.
// -{ }-: which text of a rule is shown, and which flags show none.

#include "text/wiki/brackets.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace acevec {
namespace {

// The text of each bracket with a bar between each two; of one that nothing closes the rest and
// a "?".
std::string matched(std::string_view text, bool variants = false) {
  std::string all;
  for (const WikiBracket& bracket : wiki_brackets(text, variants)) {
    if (!all.empty()) all += '|';
    if (bracket.close == WikiBracket::kUnclosed) {
      all += std::string(text.substr(bracket.open)) + "?";
    } else {
      all += text.substr(bracket.open, bracket.close + 2 - bracket.open);
    }
  }
  return all;
}

void check_variants(const std::vector<std::pair<std::string, std::string>>& cases,
                    std::string_view language) {
  for (const auto& row : cases) {
    CAPTURE(row.first);
    const WikiPiece piece = variant_piece(row.first, wiki_brackets(row.first, true), 0, language);
    CHECK(row.first.substr(piece.begin, piece.end - piece.begin) == row.second);
  }
}

}  // namespace

TEST_CASE("brackets match from the inside, in the order in which they open") {
  CHECK(matched("no [one] {or} | two").empty());
  CHECK(matched("a [[b]] {{c}}") == "[[b]]|{{c}}");
  CHECK(matched("{{a [[b {{c}}]]}}") == "{{a [[b {{c}}]]}}|[[b {{c}}]]|{{c}}");
  CHECK(matched("{|\n| x\n|}") == "{|\n| x\n|}");
  CHECK(matched("a {| b |}").empty());  // a table begins a line
  CHECK(matched("[[a [b]]]") == "[[a [b]]]");
}

TEST_CASE("what is left open keeps nothing around it from closing") {
  CHECK(matched("{{a [[b}}") == "{{a [[b}}|[[b}}?");
  CHECK(matched("{|\n[[a\n|}") == "{|\n[[a\n|}|[[a\n|}?");
  CHECK(matched("[[a") == "[[a?");
  CHECK(matched("a]] b}}").empty());
  CHECK(matched("{{a\n{|\n|}}") ==
        "{{a\n{|\n|}}|{|\n|}}?");  // the template's last argument is empty
}

TEST_CASE("variants are brackets where a wiki has any") {
  CHECK(matched("-{a}-").empty());
  CHECK(matched("-{a [[b]]}- -{c -{d}-}-", true) == "{a [[b]]}-|[[b]]|{c -{d}-}-|{d}-");
  CHECK(matched("-{{a}}-", true) == "{{a}}");
  CHECK(matched("-{[[a}- -{{{b}}}-", true) == "{[[a}-|[[a}- -{{{b}}}-?|{{{b}}");
  CHECK(matched("{{a|-{b}}", true) == "{{a|-{b}}|{b}}?");
}

TEST_CASE("what a bracket holds is walked past the brackets in it") {
  constexpr ByteSet kMarks("|;");
  const auto places = [&](const std::string& text, size_t number) {
    std::string found;
    const auto brackets = wiki_brackets(text);
    BracketContent content(text, brackets, number);
    while (content.find(kMarks) < content.end()) {
      found += std::to_string(content.at()) + ' ';
      content.pass();
    }
    CHECK(content.end() == brackets[number].close);
    return found;
  };
  CHECK(places("{{a|b;c}}|", 0) == "3 5 ");
  CHECK(places("{{a|[[b|c]]|{{d|{{e|f}}}};}}", 0) == "3 11 25 ");
  CHECK(places("{{a|[[b|c]]|{{d|{{e|f}}}};}}", 2) == "15 ");
  CHECK(places("{{[[a|[[b|c]]|d}}[[e|f", 0) == "5 13 ");  // what is open holds nothing
  CHECK(places("{{}}", 0).empty());
}

TEST_CASE("of a rule one variant is shown") {
  check_variants({{"-{zh-hans:软件; zh-hant:軟體;}-", "软件"},
                  {"-{zh-tw:軟體;zh-cn:软件}-", "软件"},
                  {"-{zh-cn:网络;zh-hans:网}-", "网"},
                  {"-{zh-hk:a; zh-tw:b}-", "a"},
                  {"-{zh-hans:;zh-hant:x}-", "x"},
                  {"-{zh-hans:a;b;c ; zh-hant:d}-", "a;b;c"},
                  {"-{x=>zh-tw:z;x=>zh-cn:y}-", "y"},
                  {"-{zh-hans:[[a;zh-hans:b|c]];zh-hant:d}-", "[[a;zh-hans:b|c]]"},
                  {"-{zh-hans:-{zh:a;zh:b}-;zh-hant:d}-", "-{zh:a;zh:b}-"}},
                 "zh");
  check_variants(
      {{"-{sr-el:beli; sr-ec:бели}-", "бели"}, {"-{zh-hans:a;zh-hant:b}-", "zh-hans:a;zh-hant:b"}},
      "sr");
  check_variants({{"-{uz-latn:a; uz-cyrl:б}-", "б"}}, "uz");
}

TEST_CASE("text without a rule is shown as it is, and flags say what is") {
  check_variants({{"-{線上}-", "線上"},
                  {"-{}-", ""},
                  {"-{http://x}-", "http://x"},
                  {"-{zhx:a}-", "zhx:a"},
                  {"-{[[a|b]]}-", "[[a|b]]"},
                  {"-{A|zh-cn:网络;zh-tw:網路}-", "网络"},
                  {"-{ A ; x |zh-cn:a}-", "a"},
                  {"-{R|zh-cn:a;zh-tw:b}-", "zh-cn:a;zh-tw:b"},
                  {"-{zh-hans;zh-hant|两}-", "两"},
                  {"-{H|zh-cn:a;zh-tw:b}-", ""},
                  {"-{T|zh-cn:a}-", ""},
                  {"-{A;T|zh-cn:a}-", ""},
                  {"-{D|zh-cn:a}-", ""},
                  {"-{N|zh-cn}-", ""},
                  {"-{-|zh-cn:a}-", ""}},
                 "zh");
}

TEST_CASE("some languages have variants") {
  for (const char* const language : {"zh", "sr", "kk", "ku", "uz"}) CHECK(has_variants(language));
  for (const char* const language : {"", "en", "ja", "zh-classical"}) {
    CHECK_FALSE(has_variants(language));
  }
}

}  // namespace acevec
