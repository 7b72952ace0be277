// Tests of text/vocabulary: order, limits, and files of words and counts.

#include "text/vocabulary.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "refusal.h"
#include "temporary_folder.h"

namespace acevec::vocabulary_test {
namespace {

const std::vector<WordCount> kWords{{"b", 2}, {"z", 9}, {"\xc3\xa9", 2}, {"a", 2}, {"c", 1}};

// "word:count" of all words in the order of their ids.
std::string listed(const Vocabulary& vocabulary) {
  std::string list;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    list += (list.empty() ? "" : " ") + vocabulary.word(id) + ":" +
            std::to_string(vocabulary.count(id));
  }
  return list;
}

std::string listed(const std::vector<WordCount>& words) {
  std::string list;
  for (const auto& [word, count] : words) {
    list += (list.empty() ? "" : " ") + word + ":" + std::to_string(count);
  }
  return list;
}

}  // namespace

TEST_CASE("words are sorted by descending count and then by their bytes") {
  const Vocabulary vocabulary(kWords, 1, 0);
  CHECK(listed(vocabulary) == "z:9 a:2 b:2 \xc3\xa9:2 c:1");
  CHECK(vocabulary.total() == 16);
  CHECK(vocabulary.counts() == std::vector<int64_t>{9, 2, 2, 2, 1});
}

TEST_CASE("rare words and words beyond the limit are left out") {
  CHECK(listed(Vocabulary(kWords, 2, 0)) == "z:9 a:2 b:2 \xc3\xa9:2");
  CHECK(listed(Vocabulary(kWords, 1, 2)) == "z:9 a:2");
  CHECK(listed(Vocabulary(kWords, 2, 3)) == "z:9 a:2 b:2");
  CHECK(listed(Vocabulary(kWords, 1, 100)) == listed(Vocabulary(kWords, 1, 0)));
  CHECK(Vocabulary(kWords, 2, 3).total() == 13);
  CHECK(Vocabulary(kWords, 10, 0).size() == 0);
  CHECK(Vocabulary(kWords, 10, 0).total() == 0);
}

TEST_CASE("a vocabulary is written and read back") {
  const TemporaryFolder folder;
  const Vocabulary vocabulary({{"the", int64_t{1} << 40}, {"\xe6\x97\xa5", 3}, {"x", 1}}, 1, 0);
  OutputFile file(folder.path("words"));
  write_vocabulary(vocabulary, file);
  file.commit();
  CHECK(folder.read("words") == "the 1099511627776\n\xe6\x97\xa5 3\nx 1\n");
  CHECK(listed(read_vocabulary(folder.path("words"))) == listed(vocabulary));
}

TEST_CASE("vocabularies of other programs are read") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& bytes) {
    return listed(read_vocabulary(folder.write("words", bytes)));
  };
  CHECK(read("</s> 100\na 5\nb 3\n") == "a:5 b:3");  // word2vec: the line end is a word
  CHECK(read("a\t5\r\n\r\nb 3") == "a:5 b:3");
  CHECK(read("a 0\n") == "a:0");
  CHECK(read("7 5\n") == "7:5");
}

TEST_CASE("a malformed vocabulary is refused with the number of the line") {
  const TemporaryFolder folder;
  for (const auto& [bytes, place] :
       {std::pair{"a 1\nb\n", "line 2 (\"b\")"},
        {"a 1\n\nb x\n", "line 3 (\"b x\")"},
        {"a -1\n", "line 1"},
        {" 1\n", "line 1"},
        {"a b 1\n", "line 1"},
        {"a 1.0\n", "line 1"},
        {"a 9223372036854775808\n", "line 1"},
        {"a 1\na 1\n", "line 2 (\"a 1\") repeats a word"},
        {"\xff 1\n", "line 1 (\"\\xff 1\") is not UTF-8"},
        {"", "contains no words"},
        {"\n", "contains no words"},
        {"</s> 3\n", "contains no words"},
        {"a 9223372036854775807\nb 1\n", "line 2 (\"b 1\") makes the counts add up"}}) {
    const std::string path = folder.write("words", bytes);
    CAPTURE(folder.read("words"));
    const std::string reason = refusal_of([&] { read_vocabulary(path); });
    CHECK(reason.find(path) != std::string::npos);
    CHECK(reason.find(place) != std::string::npos);
  }
}

}  // namespace acevec::vocabulary_test
