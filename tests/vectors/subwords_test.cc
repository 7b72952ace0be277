#include "vectors/subwords.h"

#include <doctest/doctest.h>

#include <string>

namespace acevec {
namespace {

// FNV-1a of ASCII text, as its authors define it.
int32_t bucket_of(const std::string& ngram, int64_t buckets) {
  uint32_t hash = 2166136261U;
  for (const char byte : ngram) {
    hash ^= static_cast<uint8_t>(byte);
    hash *= 16777619U;
  }
  return static_cast<int32_t>(hash % static_cast<uint32_t>(buckets));
}

std::vector<int32_t> subwords(const std::string& word, const SubwordShape& shape) {
  std::vector<int32_t> buckets;
  append_subwords(word, shape, buckets);
  return buckets;
}

TEST_CASE("subwords of a word are its n-grams with boundary marks") {
  const SubwordShape shape{3, 3, 2000000};
  std::vector<int32_t> expected;
  for (const char* ngram : {"<wh", "whe", "her", "ere", "re>"}) {
    expected.push_back(bucket_of(ngram, shape.buckets));
  }
  CHECK(subwords("where", shape) == expected);
}

TEST_CASE("subwords of several lengths come by where they begin") {
  const SubwordShape shape{1, 2, 1000};
  std::vector<int32_t> expected;
  for (const char* ngram : {"<a", "a", "ab", "b", "b>"}) {
    expected.push_back(bucket_of(ngram, shape.buckets));
  }
  CHECK(subwords("ab", shape) == expected);
}

TEST_CASE("subwords count characters and not bytes") {
  const SubwordShape shape{3, 6, 2000000};
  CHECK(subwords("na\u00efve", shape).size() == subwords("naive", shape).size());
  CHECK(subwords("\u6771\u4eac", shape).size() == 3);  // with marks: two of three, one of four
}

TEST_CASE("subwords are hashed as fastText does it, beyond ASCII too") {
  // The FNV-1a of "\xc3\xa9" with each byte as a signed number, computed by hand.
  uint32_t hash = 2166136261U;
  for (const uint32_t byte : {0xffffffc3U, 0xffffffa9U}) {
    hash ^= byte;
    hash *= 16777619U;
  }
  CHECK(subwords("\u00e9", {1, 1, 1000003}) ==
        std::vector<int32_t>{static_cast<int32_t>(hash % 1000003U)});
}

TEST_CASE("subwords of bytes that are no UTF-8, of nothing, and of no length") {
  CHECK(subwords("", {3, 6, 10}).empty());
  CHECK(subwords("abc", {3, 0, 10}).empty());
  CHECK(subwords("\x80\x80\xff", {1, 6, 10}).size() <= 10);
}

}  // namespace
}  // namespace acevec
