// Brackets that match, and those that are left open.

#include "text/wiki/brackets.h"

#include <doctest/doctest.h>

#include <string>

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

}  // namespace acevec
