// Pairs are counted in as many scans as memory asks for.

#include "phrases/pair_tables.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "phrases/joiner.h"

namespace acevec {

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
