// -{ }-: which text of a rule is shown, and which flags show none.

#include "text/wiki/variants.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace acevec {
namespace {

void check_variants(const std::vector<std::pair<std::string, std::string>>& cases,
                    std::string_view language) {
  for (const auto& row : cases) {
    CAPTURE(row.first);
    const WikiPiece piece = variant_piece(row.first, wiki_brackets(row.first, true), 0, language);
    CHECK(row.first.substr(piece.begin, piece.end - piece.begin) == row.second);
  }
}

}  // namespace

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
