// Sums are those of a plain map, however little memory there is.

#include "text/word_counts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"

namespace acevec {
namespace {

using Map = std::map<std::string, int64_t>;

// Words of 1 to 5 digits, the shorter ones more often; word `i` of thread `thread`.
std::string word_of(int thread, int i) {
  Random random(1, epoch_stream(thread), i);
  return std::to_string(random.below(1 + random.below(50000)));
}

constexpr int kThreads = 3;
constexpr int kTurns = 40;
constexpr int kWords = 1000;  // a turn

Map expected_counts() {
  Map counts;
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int i = 0; i < kTurns * kWords; ++i) ++counts[word_of(thread, i)];
  }
  return counts;
}

void count_all(WordCounts& counts) {
  in_parallel(kThreads, [&](int thread) {
    for (int turn = 0; turn < kTurns; ++turn) {
      WordCounts::Table& table = counts.table(thread, kWords);
      for (int i = 0; i < kWords; ++i) table.words.add(word_of(thread, turn * kWords + i));
    }
  });
  counts.finish();
}

Map as_map(const std::vector<WordCount>& words) {
  Map map;
  for (const auto& [word, count] : words) map[word] += count;
  return map;
}

}  // namespace

TEST_CASE("counts are those of a map in any memory") {
  const Map expected = expected_counts();
  for (const int64_t bytes : {int64_t{1}, int64_t{4} << 20, int64_t{1} << 30}) {
    CAPTURE(bytes);
    WordCounts counts(kThreads, bytes);
    count_all(counts);
    CHECK((counts.disk_bytes() > 0) == (bytes < int64_t{1} << 30));
    if (bytes == 1) CHECK(counts.tables() == kThreads * kTurns);
    const WordTotals totals = total_counts(counts, 2, 1, 0);
    CHECK(totals.distinct == static_cast<int64_t>(expected.size()));
    CHECK(totals.words.size() == expected.size());  // each once
    CHECK((as_map(totals.words) == expected));
    for (const int parts : {1, 8, WordCounts::kPieces}) {
      Map found;
      for (int part = 0; part < parts; ++part) {
        counts.for_each_total(part, parts, [&](std::string_view word, int64_t count) {
          found[std::string(word)] += count;
        });
      }
      CHECK((found == expected));
    }
  }
}

TEST_CASE("the most frequent words are those of the whole list, sorted") {
  WordCounts counts(kThreads, 1);
  count_all(counts);
  std::vector<WordCount> all = total_counts(counts, 1, 1, 0).words;
  std::sort(all.begin(), all.end(), more_frequent);
  for (const size_t most : {size_t{1}, size_t{77}, all.size()}) {
    std::vector<WordCount> few = total_counts(counts, 2, 2, static_cast<int64_t>(most)).words;
    std::sort(few.begin(), few.end(), more_frequent);
    for (size_t i = 0; i < std::min(most, few.size()); ++i) REQUIRE(few[i].word == all[i].word);
    CHECK(few.size() < 2 * most + 1);
    CHECK(std::all_of(few.begin(), few.end(), [](const auto& word) { return word.count >= 2; }));
  }
}

TEST_CASE("ids and counts of a table on the disk are what they were") {
  for (const int64_t bytes : {int64_t{1}, int64_t{1} << 30}) {
    WordCounts counts(1, bytes);
    const std::string huge(3 << 20, 'x');
    counts.table(0, 4).words.add("b", 5);
    counts.table(0, 4).words.add("a");  // another table when there is no memory
    counts.table(0, 4).words.add(huge);
    counts.finish();
    Map seen;
    for (int table = 0; table < counts.tables(); ++table) {
      CHECK(counts.in_memory(table) == (bytes != 1));
      size_t words = 0;
      counts.for_each_in(table, [&](std::string_view word, uint32_t id, int64_t count) {
        CHECK(id == (bytes == 1 ? 0 : seen.size()));
        seen[std::string(word)] = count;
        ++words;
      });
      CHECK(counts.words_in(table) == words);
    }
    CHECK((seen == Map{{"b", 5}, {"a", 1}, {huge, 1}}));
    CHECK((as_map(total_counts(counts, 2, 1, 0).words) == seen));
  }
}

TEST_CASE("counts from elsewhere are added") {
  const Map expected = expected_counts();
  for (const int64_t bytes : {int64_t{1}, int64_t{1} << 30}) {
    WordCounts counts(kThreads, bytes);
    count_all(counts);
    counts.add({{"1", 1000}, {"new", 7}});
    counts.add({{"new", 1}});
    Map sum = expected;
    sum["1"] += 1000;
    sum["new"] = 8;
    CHECK((as_map(total_counts(counts, 2, 1, 0).words) == sum));
  }
}

}  // namespace acevec
