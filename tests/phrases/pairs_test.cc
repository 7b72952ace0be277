// Pairs with and without connecting words, joined in lines by hand, and counted in as many scans as
// memory needs.

#include "phrases/pairs.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

namespace acevec {

TEST_CASE("a pair has words at its ends, and at most two connecting words between them") {
  const PairRules rules(Vocabulary({{"bank", 8},
                                    {"of", 7},
                                    {"the", 6},
                                    {"england", 5},
                                    {",", 4},
                                    {"\u3001", 3},
                                    {"a1", 2},
                                    {"\xff", 1}},
                                   1, 0),
                        {"the", "of"});
  const auto text = [&](const std::vector<int32_t>& ids) {
    const auto found = rules.at(ids, 0);
    if (!found) return std::string("none");
    const WordPair same = pair_of(pair_key(found->pair));
    CHECK(same.first == ids[0]);
    CHECK(same.second == ids[found->last]);
    std::string all;
    for (const std::string_view word : rules.between(same.between)) all += std::string(word) + " ";
    return all + std::to_string(found->last);
  };
  CHECK(text({0, 3}) == "1");
  CHECK(text({0, 1, 3}) == "of 2");
  CHECK(text({0, 1, 2, 3}) == "of the 3");
  CHECK(text({0, 2, 1, 3}) == "the of 3");
  CHECK(text({0, 1, 1, 1, 3}) == "none");
  CHECK(text({0, 1, 1, 1}) == "none");
  CHECK(text({0, 1, 2}) == "none");
  CHECK(text({0, 1, -1, 3}) == "none");
  CHECK(text({0, -1}) == "none");
  CHECK(text({-1, 0}) == "none");
  CHECK(text({0}) == "none");
  for (const int32_t id : {1, 2, 4, 5}) CHECK(text({id, 3}) == "none");
  for (const int32_t id : {4, 5}) CHECK(text({0, id, 3}) == "none");
  for (const int32_t id : {6, 7, 1000}) CHECK(text({0, id, 3}) == "1");  // 1000: a phrase
}

TEST_CASE("pairs are joined from left to right, and never across lines") {
  const PairRules rules({}, {});
  Joiner joiner;
  joiner.add({1, 2}, 10);
  joiner.add({2, 1}, 11);
  joiner.add({3, 3}, 12);
  std::vector<int32_t> ids{1, 2, 1, -1, 1, -1, 2, 1, 3, 3, 3, 10, 2, -1, -1, 1};
  CHECK(joiner.join(rules, ids) == 3);
  CHECK(ids == std::vector<int32_t>{10, 1, -1, 1, -1, 11, 12, 3, 10, 2, -1, -1, 1});
}

TEST_CASE("tables of pairs count what fits, and the next scan the rest") {
  std::vector<std::vector<uint64_t>> pairs(PairTables::kTables);
  for (int32_t i = 0; i < 20000; ++i) {
    const uint64_t pair = pair_key({i % 5000, i % 77});
    pairs[static_cast<size_t>(PairTables::table_of(pair))].push_back(pair);
  }
  std::map<uint64_t, int64_t> expected;
  for (const auto& table : pairs) {
    for (const uint64_t pair : table) ++expected[pair];
  }
  std::map<uint64_t, int64_t> counted;
  int scans = 0;
  for (int first = 0; first < PairTables::kTables; ++scans) {
    PairTables tables(first, 100000);
    for (int round = 0; round < 2; ++round) {
      for (int table = PairTables::kTables - 1; table >= 0; --table) {
        tables.add(table, pairs[static_cast<size_t>(table)]);  // some are not wanted now
      }
    }
    tables.for_each([&](uint64_t pair, int64_t count) {
      CHECK_FALSE(counted.contains(pair));
      counted[pair] = count;
    });
    REQUIRE(tables.last() > first);
    first = tables.last();
  }
  CHECK(scans > 2);
  CHECK(scans < 30);  // what is not wanted takes no memory
  for (auto& [pair, count] : expected) count *= 2;
  CHECK(counted == expected);
}

}  // namespace acevec
