// An index finds every word that it has and no other, one by one and many at once.

#include "text/word_index.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace acevec {
namespace {

struct Words {
  std::string_view word(int32_t id) const { return words[static_cast<size_t>(id)]; }
  void prefetch(int32_t id) const { __builtin_prefetch(words.data() + id); }
  std::vector<std::string> words;
};

}  // namespace

TEST_CASE("an empty index has no word") {
  const Words words;
  const WordIndex<Words> index(&words);
  CHECK(index.find("") == -1);
  CHECK(index.find("a") == -1);
  int32_t id;
  const KeyedWord word{"a", word_key("a")};
  index.find_all({&word, 1}, &id);
  CHECK(id == -1);
}

TEST_CASE("a key does not depend on the bytes behind the word") {
  const std::string text = "abcdefghijklmnop";
  for (size_t begin = 0; begin < text.size(); ++begin) {
    for (size_t size = 0; begin + size <= text.size(); ++size) {
      const std::string alone = text.substr(begin, size);
      const WordKey key = word_key(alone);
      REQUIRE(word_key(std::string_view(text).substr(begin, size), text.size() - begin) == key);
      REQUIRE(is_of_long_word(key) == (size > kShortWord));
    }
  }
  CHECK(word_key("a") != word_key(std::string_view("a\0", 2)));
  CHECK(word_key("\xff\xff\xff\xff\xff\xff\xff") != word_key("\xff\xff\xff\xff\xff\xff\xff\xff"));
}

TEST_CASE("all words are found, and others are not") {
  Words words;
  for (int i = 0; i < 300000; ++i) {  // of each length up to 40, with equal ends
    const std::string number = std::to_string(i);
    words.words.push_back(number + std::string(static_cast<size_t>(i % 35), 'x') + number.back());
  }
  WordIndex<Words> index(&words);
  for (int32_t id = 0; id < 300000; id += 2) index.add(id);
  CHECK(index.bytes_with(150000) >= 150000 * 12);
  for (int32_t first = 0; first < 300000; first += kWordsTogether) {
    std::vector<KeyedWord> asked;
    for (int32_t id = first; id < 300000 && asked.size() < kWordsTogether; ++id) {
      asked.push_back({words.word(id), word_key(words.word(id))});
    }
    int32_t found[kWordsTogether];
    index.find_all(asked, found);
    for (size_t i = 0; i < asked.size(); ++i) {
      const int32_t id = first + static_cast<int32_t>(i);
      REQUIRE(found[i] == (id % 2 == 0 ? id : -1));
      REQUIRE(index.find(asked[i].word) == found[i]);
    }
  }
}

TEST_CASE("long words of the same key are told apart") {
  const Words words{{"the first word", "the other word", "another one", "of sixteen bytes",
                     "of more than sixteen bytes"}};
  const WordKey key = word_key("the first word");
  WordIndex<Words> index(&words);
  for (int32_t id = 0; id < 4; ++id) index.add(id, key);
  std::vector<KeyedWord> asked;
  for (const std::string& word : words.words) asked.push_back({word, key});
  int32_t found[kWordsTogether];
  index.find_all(asked, found);
  for (int32_t id = 0; id < 5; ++id) {
    const int32_t expected = id < 4 ? id : -1;
    CHECK(found[id] == expected);
    CHECK(index.find(asked[static_cast<size_t>(id)]) == expected);
  }
}

TEST_CASE("words that differ in one byte are different, whatever their keys") {
  Words words;
  for (size_t length = 1; length <= 20; ++length) {
    for (size_t at = 0; at <= length; ++at) {  // at = length: no byte differs from the others
      std::string word(length, 'a');
      if (at < length) word[at] = 'b';
      words.words.push_back(word);
    }
  }
  const WordKey shared = word_key("of no word here");
  WordIndex<Words> index(&words), of_one_key(&words);
  for (int32_t id = 0; id < static_cast<int32_t>(words.words.size()); ++id) {
    const std::string_view word = words.word(id);
    REQUIRE(index.find(word) == -1);
    index.add(id);
    REQUIRE(index.find(word) == id);
    if (word.size() <= kShortWord) continue;
    REQUIRE(of_one_key.find({word, shared}) == -1);
    of_one_key.add(id, shared);
    REQUIRE(of_one_key.find({word, shared}) == id);
  }
}

}  // namespace acevec
