// Lines become paragraphs, and lists and headings are told apart.

#include "text/wiki/markup.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace acevec {

TEST_CASE("lines that follow each other are a paragraph, items and headings their own") {
  for (const auto& example : std::vector<std::pair<std::string, std::string>>{
           {"", ""},
           {"\n\n \n", ""},
           {"a\nb\n\nc", "a b\nc\n"},
           {"* a\n** b\n# c\n:; d\ne\nf", "a\nb\nc\nd\ne f\n"},
           {"a\n----\nb\n-----c", "a\nb\nc\n"},
           {"  a \t  b\r\n", "a b\n"},
           {"== A ==\ntext\n=== B ===\n==C==\n\nmore", "A\ntext\nC\nmore\n"},
           {"= A =\nx = y\n=", "A\nx = y =\n"},
           {"== A ==\n== B ==\nx\n==== C ====\n=== D ===\ny", "B\nx\nD\ny\n"},
           {"a\n| b\n! c !! d\n! e", "a ! e\n"},
           {"a ( ; b) ( ) , c .", "a (b), c.\n"},
           {"-\n\nthe .NET x", "the .NET x\n"},
       }) {
    const std::string& lines = example.first;
    CAPTURE(lines);
    std::string text;
    append_paragraphs(lines, text);
    CHECK(text == example.second);
  }
}

}  // namespace acevec
