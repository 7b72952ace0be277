// Tables of words on the disk: each word is in one piece, with its id and count.

#include "text/word_runs.h"

#include <doctest/doctest.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/parallel.h"

namespace acevec {

TEST_CASE("runs give back their words, piece by piece and all at once") {
  constexpr int kTables = 3;
  constexpr int kWords = 5000;
  WordRuns runs;
  std::map<int, int> run_of;
  std::mutex mutex;
  in_parallel(kTables, [&](int number) {
    WordCounter table;
    for (int i = 0; i < kWords; ++i) table.add(std::to_string(i * (number + 1)), i + 1);
    if (number == 2) table.add(std::string(3 << 20, 'x'));  // longer than a block
    const int run = runs.write(table);
    const std::lock_guard lock(mutex);
    run_of[number] = run;
  });
  for (const auto& [number, run] : run_of) {
    std::map<std::string, std::pair<uint32_t, int64_t>> whole, pieces;
    runs.read(run, 0, WordRuns::kPieces, [&](std::string_view word, uint32_t id, int64_t count) {
      whole[std::string(word)] = {id, count};
    });
    for (int first = 0; first < WordRuns::kPieces; first += 256) {
      runs.read(run, first, first + 256, [&](std::string_view word, uint32_t id, int64_t count) {
        CHECK_FALSE(pieces.contains(std::string(word)));
        pieces[std::string(word)] = {id, count};
      });
    }
    REQUIRE(whole.size() == kWords + (number == 2 ? 1 : 0));
    CHECK((pieces == whole));
    for (uint32_t i = 0; i < kWords; ++i) {
      const auto found = whole.find(std::to_string(i * static_cast<uint32_t>(number + 1)));
      REQUIRE(found != whole.end());
      REQUIRE(found->second == std::pair<uint32_t, int64_t>{i, i + 1});
    }
  }
  CHECK(runs.bytes() > (3 << 20) + kTables * kWords * 16);
}

}  // namespace acevec
