// Tests of text/word_counter: ids in order of appearance, counts as of a plain map.

#include "text/word_counter.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace acevec {

TEST_CASE("ids are given in the order in which words appear") {
  WordCounter counter;
  CHECK(counter.size() == 0);
  CHECK(counter.find("a") == -1);
  CHECK(counter.add("b") == 0);
  CHECK(counter.add("a") == 1);
  CHECK(counter.add("b") == 0);
  CHECK(counter.add("a", 40) == 1);
  CHECK(counter.size() == 2);
  CHECK(counter.word(0) == "b");
  CHECK(counter.count(0) == 2);
  CHECK(counter.count(1) == 41);
  CHECK(counter.find("a") == 1);
  CHECK(counter.find("ab") == -1);
}

TEST_CASE("counts are those of a map") {
  Random random(1);
  WordCounter counter;
  std::map<std::string, int64_t> expected;
  for (int i = 0; i < 200000; ++i) {
    const std::string word = std::to_string(random.below(1 + random.below(100000)));
    counter.add(word);
    ++expected[word];
  }
  const WordCounter moved = std::move(counter);
  REQUIRE(moved.size() == expected.size());
  for (const auto& [word, count] : expected) {
    const int32_t id = moved.find(word);
    REQUIRE(id >= 0);
    REQUIRE(moved.word(static_cast<size_t>(id)) == word);
    REQUIRE(moved.count(static_cast<size_t>(id)) == count);
  }
}

TEST_CASE("many words at once get the ids and counts that they get one by one") {
  Random random(2);
  WordCounter one;
  WordCounter many;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::string> texts(random.below(static_cast<uint32_t>(kWordsTogether) + 1));
    std::vector<KeyedWord> words;
    for (std::string& word : texts) {
      word = std::string(random.below(3) == 0 ? random.below(30) : 0, 'x');
      word += std::to_string(random.below(1 + random.below(200000)));
      words.push_back({word, word_key(word)});
    }
    std::vector<int32_t> ids(words.size());
    many.add_all(words, ids.data());
    for (size_t k = 0; k < words.size(); ++k) {
      REQUIRE(static_cast<uint32_t>(ids[k]) == one.add(words[k].word));
    }
  }
  REQUIRE(many.size() == one.size());
  for (size_t id = 0; id < one.size(); ++id) {
    REQUIRE(many.word(id) == one.word(id));
    REQUIRE(many.count(id) == one.count(id));
    REQUIRE(many.hash_prefix(id) == one.hash_prefix(id));
  }
}

TEST_CASE("a counter says before it grows beyond what it may take") {
  WordCounter counter;
  CHECK(counter.may_exceed(4 << 20, 1 << 20));
  for (int i = 0; !counter.may_exceed(16 << 20, 1); ++i) counter.add(std::to_string(i));
  CHECK(static_cast<int64_t>(counter.size()) > (16 << 20) / (3 * WordCounter::kBytesPerWord));
  CHECK_FALSE(counter.may_exceed(64 << 20, 1));
}

TEST_CASE("words of any length and bytes are kept") {
  WordCounter counter;
  const std::string huge(3 << 20, 'x');
  for (const std::string& word : {std::string("a"), huge, std::string("\xff\xfe"), huge + "y",
                                  std::string(1 << 20, 'z'), std::string("b")}) {
    const uint32_t id = counter.add(word);
    CHECK((counter.word(id) == word));
  }
  CHECK(counter.word(0) == "a");
  CHECK((counter.word(1) == huge));
  CHECK(counter.find("b") == 5);
}

}  // namespace acevec
