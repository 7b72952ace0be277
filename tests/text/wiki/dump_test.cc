// Which pages of a dump are articles, and how much of them is read.
// Dumps in every encoding and one behind the other, and those that are broken.

#include "text/wiki/dump.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "refusal.h"
#include "temporary_folder.h"
#include "text/text_reader.h"
#include "text/wiki/dumps.h"

namespace acevec {
namespace {

std::string refusal(const std::string& bytes) {
  const std::string message = refusal_of([&] { read_dump(bytes); });
  return message.substr(message.find("dump.xml") + 10);
}

// ASCII and Cyrillic as UTF-16, with a byte order mark.
std::string utf16(const std::string& utf8, bool big) {
  std::string bytes;
  const auto add = [&](unsigned unit) {
    const char low = static_cast<char>(unit & 0xff);
    const char high = static_cast<char>(unit >> 8);
    bytes += big ? high : low;
    bytes += big ? low : high;
  };
  add(0xfeff);
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    if (lead < 0x80) {
      add(lead);
    } else {
      add((lead & 0x1fU) << 6 | (static_cast<unsigned char>(utf8[++i]) & 0x3fU));
    }
  }
  return bytes;
}

}  // namespace

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

TEST_CASE("a wiki's names are read before its pages and not after") {
  const TemporaryFolder folder;
  const std::string whole = dump(page("A", "a"));
  std::string late = whole;
  late.replace(whole.find("Беседа"), std::string("Беседа").size(), "Other");
  Source source(folder.write("dump.xml", whole + late), TextFormat::kWiki);
  WikiDump dump(source);
  std::vector<std::string> articles;
  PageCounts pages;
  while (dump.next(1, articles, pages)) {
  }
  CHECK_FALSE(dump.names().is_article("Беседа:A"));
  CHECK(dump.names().is_article("Other:A"));  // a thread may be reading the names by then
}

TEST_CASE("dumps are read in every encoding of XML") {
  const std::string text = dump(page("А", "жук &#233; beetle"));
  const std::vector<std::string> expected{"жук é beetle"};
  CHECK(read_dump(text).articles == expected);
  CHECK(read_dump("\xef\xbb\xbf" + text).articles == expected);
  CHECK(read_dump(utf16(text, false)).articles == expected);
  CHECK(read_dump(utf16(text, true)).articles == expected);
  CHECK(read_dump("<?xml version='1.0' encoding='ISO-8859-1'?><mediawiki>" + page("A", "caf\xe9") +
                  "</mediawiki>")
            .articles == std::vector<std::string>{"café"});
}

TEST_CASE("dumps follow each other") {
  const std::string one = dump(page("A", "a"));
  const std::string two = dump(page("B", "b") + page("C", "c"));
  const std::vector<std::string> expected{"a", "b", "c", "b", "c"};
  CHECK(read_dump(one + two + two).articles == expected);
  CHECK(read_dump("<?xml version=\"1.0\"?>\n" + one + "\n\n<?xml version=\"1.0\"?>\n" + two + two)
            .articles == expected);
  CHECK(read_dump(utf16(one + "\n", false) + utf16(two + two, false)).articles == expected);
  CHECK(read_dump(one + "<mediawiki/>" + two + two).articles == expected);
  // Wherever the blocks that are read end.
  std::string filled = dump(page("A", std::string(65000, 'x')));
  for (int i = 0; i < 700; ++i) {
    filled.insert(filled.find("x</text>"), "y");
    REQUIRE(read_dump(filled + two).articles.size() == 3);
  }
}

TEST_CASE("what is no dump is refused with its reason") {
  const std::string advice = "; give a MediaWiki dump, or leave out -format wiki";
  CHECK(refusal("") == "it is not XML (no element found in line 1)" + advice);
  CHECK(refusal("plain text") == "it is not XML (syntax error in line 1)" + advice);
  CHECK(refusal("\n{\"a\": 1}") ==
        "it is not XML (not well-formed (invalid token) in line 2)" + advice);
  CHECK(refusal("<html><body/></html>") ==
        "it is XML, but not of MediaWiki: it begins with <html>" + advice);
  std::string deep = "<mediawiki>";
  for (int i = 0; i < 200; ++i) deep += "<a>";
  CHECK(refusal(deep) == "its elements are nested too deeply for a dump" + advice);
  CHECK(refusal(dump(page("A", "a")) + "junk") ==
        "it is not XML (syntax error in line 1)" + advice);
}

TEST_CASE("a dump that is cut or damaged is refused wherever it is") {
  const std::string whole = dump(page("A", "a") + page("B", "b &amp; c") + page("C", "c"));
  const std::string cut = refusal(whole.substr(0, whole.find("b &amp;") + 5));
  CHECK(cut == "the dump is truncated in line 4 after the page \"A\"; download the whole file");
  for (size_t length = whole.find('>') + 1; length < whole.size() - 1; ++length) {
    CAPTURE(length);
    CHECK(refusal(whole.substr(0, length)).find("the dump is truncated") != std::string::npos);
  }
  std::string damaged = whole;
  damaged[whole.find("b &amp;")] = '\x01';
  CHECK(refusal(damaged) ==
        "it is damaged in line 4 after the page \"A\" (not well-formed (invalid token)); get the "
        "dump again");
  damaged = whole;
  damaged.replace(whole.find("</page>"), 7, "</peg>");
  CHECK(refusal(damaged).starts_with("it is damaged in line 3 (mismatched tag)"));
}

TEST_CASE("the reason why a dump is refused is given once, and then it is at its end") {
  const TemporaryFolder folder;
  for (const char* bytes : {"BZh91AY&SY\r", "text", "<mediawiki>", "\x1f\x8b\x08"}) {
    CAPTURE(bytes);
    Source source(folder.write("dump", bytes), TextFormat::kWiki);
    const std::unique_ptr<TextReader> reader = make_text_reader(source, 100);
    TextChunk chunk;
    CHECK_THROWS_AS(reader->next(chunk), Error);
    CHECK_FALSE(reader->next(chunk));
  }
}

TEST_CASE("XML that grows without bounds is refused") {
  CHECK(refusal("<mediawiki>" + std::string("<page ") + std::string(3 << 20, 'a'))
            .find("a tag of more than 1 MiB") != std::string::npos);
  CHECK(refusal("<mediawiki><!-- " + std::string(3 << 20, 'a') + "--></mediawiki>")
            .find("a tag of more than 1 MiB") != std::string::npos);
  std::string bomb = "<!DOCTYPE m [<!ENTITY a0 \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\">";
  for (int i = 1; i < 12; ++i) {
    bomb += "<!ENTITY a" + std::to_string(i) + " \"";
    for (int k = 0; k < 10; ++k) bomb += "&a" + std::to_string(i - 1) + ";";
    bomb += "\">";
  }
  CHECK(
      refusal(bomb + "]><mediawiki>" + page("A", "&a11;") + "</mediawiki>").find("amplification") !=
      std::string::npos);
}

namespace {

// The text of a dump, in chunks of `bytes`, read by `threads`; adds up its pages.
std::string text_of(const std::string& dump, size_t bytes, int threads, PageCounts& pages) {
  const TemporaryFolder folder;
  Source source(folder.write("dump", dump), TextFormat::kWiki);
  const std::unique_ptr<TextReader> reader = make_text_reader(source, bytes);
  std::mutex mutex;
  std::map<int64_t, std::string> chunks;
  in_parallel(threads, [&](int) {
    for (TextChunk chunk; reader->next(chunk);) {
      const std::lock_guard lock(mutex);
      CHECK(chunks.emplace(chunk.index, chunk.text).second);
      pages += chunk.report.pages;
    }
  });
  std::string joined;
  for (const auto& [index, chunk] : chunks) joined += chunk;
  return joined;
}

}  // namespace

TEST_CASE("several threads get all articles of a wiki between them, as text") {
  std::string pages, expected;
  for (int i = 0; i < 500; ++i) {
    const std::string number = std::to_string(i);
    pages += page(number, "''a'' [[b" + number + "]]\n\n[[Файл:c|d]]");
    expected += (i > 0 ? "\na b" : "a b") + number + "\n";
  }
  PageCounts counts;
  CHECK(text_of(dump(pages), 200, 4, counts) == expected);
  CHECK(counts.articles == 500);
}

TEST_CASE("an empty line stands between articles that leave text, and nowhere else") {
  const std::string none = page("N", "{{x}}"), redirect = page("R", "#REDIRECT [[A]]");
  std::string pages;
  for (int i = 0; i < 20; ++i) pages += none + redirect;  // the first chunks have no text
  pages += page("A", "one\n\ntwo") + none + none + page("B", std::string(3000, 'b')) + redirect +
           page("C", "c") + page("D", "d") + none;
  const std::string expected = "one\ntwo\n\n" + std::string(3000, 'b') + "\n\nc\n\nd\n";
  const std::string again = "<mediawiki>" + none + page("E", "e") + "</mediawiki>";
  for (const size_t bytes : {1, 30, 1000, 1 << 20}) {
    for (const int threads : {1, 4}) {
      CAPTURE(bytes);
      PageCounts counts;
      CHECK(text_of(dump(pages), bytes, threads, counts) == expected);
      CHECK(text_of(dump(pages) + again, bytes, threads, counts) == expected + "\ne\n");
      CHECK(text_of(utf16(dump(pages), true), bytes, threads, counts) == expected);
      CHECK(text_of(dump(none + none), bytes, threads, counts).empty());
    }
  }
}

TEST_CASE("a dump says the language of its wiki") {
  const std::string pages = page("A", "-{zh-hant:x;zh-hans:y}-[[分类:z]]") + "</mediawiki>";
  PageCounts counts;
  CHECK(text_of("<mediawiki xml:lang=\"zh\">" + pages, 100, 1, counts) == "y\n");
  CHECK(text_of("<mediawiki>" + pages, 100, 1, counts) == "-{zh-hant:x;zh-hans:y}-分类:z\n");
}

}  // namespace acevec
