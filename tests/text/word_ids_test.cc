// The index and the counter of words against plain maps, and the ids of tokens, looked up many at a
// time, against a look-up one by one.

#include "text/word_ids.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"

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

TEST_CASE("each token has its id at its place, repaired ones too, and lines end") {
  std::map<std::string, int32_t, std::less<>> words{{"w\xef\xbf\xbdx", 1000}};
  for (int32_t i = 0; i < 50; ++i) words["w" + std::to_string(i)] = i;
  std::string text;
  std::vector<int32_t> expected;
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const uint32_t kind = random.below(20);
    if (kind == 0) {
      text += "\n";
      expected.push_back(kLineEnd);
    } else if (kind == 1) {
      text += "w\xffx ";  // the repaired word is held for a moment only
      expected.push_back(1000);
    } else {
      const auto word = static_cast<int32_t>(random.below(50));
      text += "w" + std::to_string(word) + " ";
      expected.push_back(word);
    }
  }
  std::vector<int32_t> ids{-7};  // what is there stays
  expected.insert(expected.begin(), -7);
  TextReport report;
  append_ids(text, report, ids, [&](std::span<const KeyedWord> tokens, int32_t* found) {
    CHECK(tokens.size() <= kWordsTogether);
    for (size_t i = 0; i < tokens.size(); ++i) {
      CHECK(tokens[i].key == word_key(tokens[i].word));
      found[i] = words.find(tokens[i].word)->second;
    }
  });
  CHECK(ids == expected);
  CHECK(report.invalid_tokens > 0);
}

}  // namespace acevec
