// Paragraphs into sentences.

#include "text/sentences.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace acevec {

TEST_CASE("sentences come without the white space around them, and no byte gets lost") {
  SentenceSplitter splitter;
  const auto split = [&](std::string_view paragraph) {
    std::vector<std::string> sentences;
    splitter.split(paragraph, [&](std::string_view one) { sentences.emplace_back(one); });
    return sentences;
  };
  using Sentences = std::vector<std::string>;
  CHECK(split("  One here. Is it two?  It is 3.5 miles!  ") ==
        Sentences{"One here.", "Is it two?", "It is 3.5 miles!"});
  CHECK(split("no end") == Sentences{"no end"});
  CHECK(split("").empty());
  CHECK(split(" \t ").empty());
  CHECK(split("\u4f60\u597d\u3002\u518d\u89c1\u3002") ==
        Sentences{"\u4f60\u597d\u3002", "\u518d\u89c1\u3002"});
  CHECK(split("odd \xff byte. Next.") == Sentences{"odd \xff byte.", "Next."});
  const auto fail = [](std::string_view) { throw std::runtime_error("full"); };
  CHECK_THROWS_WITH(splitter.split("One. Two.", fail), "full");  // leaves no memory behind
  CHECK(split("Again. Here.") == Sentences{"Again.", "Here."});
}

}  // namespace acevec
