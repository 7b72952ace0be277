// An index finds every word that it has and no other, one by one and many at once.

#include "text/word_index.h"

#include <cstdint>
#include <set>
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
  uint64_t hash;
  int32_t id;
  const std::string_view word = "a";
  index.find_all({&word, 1}, &hash, &id);
  CHECK(id == -1);
}

TEST_CASE("all words are found, others are not, and some have the hash's first bits in common") {
  Words words;
  std::set<uint32_t> tags;
  for (int i = 0; i < 300000; ++i) {  // of each length up to 40, with equal ends
    const std::string number = std::to_string(i);
    words.words.push_back(number + std::string(static_cast<size_t>(i % 35), 'x') + number.back());
    tags.insert(static_cast<uint32_t>(word_hash(words.words.back())));
  }
  CHECK(tags.size() < words.words.size());
  WordIndex<Words> index(&words);
  for (int32_t id = 0; id < 300000; id += 2) index.add(id);
  CHECK(index.bytes_with(150000) >= 150000 * 8);
  for (int32_t first = 0; first < 300000; first += kWordsTogether) {
    std::vector<std::string_view> asked;
    for (int32_t id = first; id < 300000 && asked.size() < kWordsTogether; ++id) {
      asked.push_back(words.word(id));
    }
    uint64_t hashes[kWordsTogether];
    int32_t found[kWordsTogether];
    index.find_all(asked, hashes, found);
    for (size_t i = 0; i < asked.size(); ++i) {
      const int32_t id = first + static_cast<int32_t>(i);
      REQUIRE(found[i] == (id % 2 == 0 ? id : -1));
      REQUIRE(index.find(asked[i]) == found[i]);
      REQUIRE(hashes[i] == word_hash(asked[i]));
    }
  }
}

TEST_CASE("words that differ in one byte are different") {
  Words words;
  for (size_t length = 1; length <= 20; ++length) {
    for (size_t at = 0; at <= length; ++at) {  // at = length: no byte differs from the others
      std::string word(length, 'a');
      if (at < length) word[at] = 'b';
      words.words.push_back(word);
    }
  }
  WordIndex<Words> index(&words);
  for (int32_t id = 0; id < static_cast<int32_t>(words.words.size()); ++id) {
    REQUIRE(index.find(words.word(id)) == -1);
    index.add(id);
    REQUIRE(index.find(words.word(id)) == id);
  }
}

}  // namespace acevec
