// What the prefixes of titles and links mean.

#include "text/wiki/names.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("a page is an article unless its prefix names another namespace") {
  WikiNames names;
  names.add(14, "Категория");
  names.add(0, "Main");  // articles have no prefix
  for (const char* const title : {"Albedo", "Star Trek: Picard", "Main:x", ":Talk", "Mu:seum"}) {
    CAPTURE(title);
    CHECK(names.is_article(title));
  }
  for (const char* const title :
       {"Talk:Albedo", "user_talk:x", " File : x", "КАТЕГОРИЯ:Физика", "Module talk:x"}) {
    CAPTURE(title);
    CHECK_FALSE(names.is_article(title));
  }
}

TEST_CASE("links to files, categories and other languages show nothing") {
  const WikiNames names;
  for (const char* const target : {"File:x.ogg", "image:x", "Category:x", "de:Albedo", "simple:x",
                                   "zh-min-nan:x", "Bild:Karte.PNG"}) {
    CAPTURE(target);
    CHECK(names.is_hidden(target));
  }
  for (const char* const target : {"Albedo", ":File:x.png", ":de:Albedo", "doi:10", "Help:x",
                                   "Apollo: a photo", "x.png", "User:x.png"}) {
    CAPTURE(target);
    CHECK_FALSE(names.is_hidden(target));
  }
}

}  // namespace acevec
