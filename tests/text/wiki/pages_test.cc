// Which pages of a dump are articles, and how much of them is read.

#include "text/wiki/pages.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "text/wiki/dumps.h"

namespace acevec {

TEST_CASE("a dump's articles are read and its other pages counted") {
  const ReadDump result = read_dump(
      dump(page("A", "&lt;b&gt; &amp;amp; a", "<ns>0</ns>") + page("Talk:A", "b", "<ns>1</ns>") +
           page("C", "#REDIRECT [[A]]", "<ns>0</ns><redirect title=\"A\" />") +
           page("D", "#виж [[A]]", "<ns>0</ns>") + page("E", "{}", "<ns>0</ns><id>1</id>") +
           "<page><title>F</title><ns>0</ns><revision><model>json</model><text>{}</text></revision>"
           "</page>" +
           page("G", "# one [[two]]", "<ns>0</ns>")));
  CHECK(result.articles == std::vector<std::string>{"<b> &amp; a", "{}", "# one [[two]]"});
  CHECK(result.pages.articles == 3);
  CHECK(result.pages.redirects == 2);
  CHECK(result.pages.others == 2);
  CHECK(result.pages.cut == 0);
}

TEST_CASE("pages of old dumps are told apart by their titles") {
  const ReadDump result = read_dump(dump(page("A", "a") + page("Беседа:A", "b") +
                                         page("беседа:A", "b") + page("Talk:A", "b") +
                                         page("user talk:A", "b") + page("Alien: Covenant", "c")));
  CHECK(result.articles == std::vector<std::string>{"a", "c"});
  CHECK(result.pages.others == 4);
}

TEST_CASE("of several revisions the last one counts") {
  CHECK(read_dump(
            dump("<page><title>A</title><revision><text>old</text></revision>"
                 "<revision><contributor><text>x</text></contributor><text>new</text></revision>"
                 "</page>"))
            .articles == std::vector<std::string>{"new"});
}

TEST_CASE("an article without end is cut and the next one read") {
  const ReadDump result = read_dump(
      dump(page("A", std::string(kMaxArticleBytes + 1, 'x') + "\nend") + page("B", "b") +
           page(std::string(100000, 't'), "c") + page("D", std::string(kMaxArticleBytes, 'x'))),
      1 << 20);
  REQUIRE(result.articles.size() == 4);
  CHECK(result.articles[0].size() <= kMaxArticleBytes);
  CHECK(result.articles[0].size() > kMaxArticleBytes - 100000);
  CHECK(result.articles[1] == "b");
  CHECK(result.articles[3].size() == kMaxArticleBytes);
  CHECK(result.pages.cut == 1);
}

}  // namespace acevec
