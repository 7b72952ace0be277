// Tests of base/parallel: every thread runs once, every piece is done once, and exceptions come
// home.
// Pieces come in order however long each takes, and a failure ends the rest.

#include "base/parallel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"

namespace acevec {

TEST_CASE("each thread's number comes once") {
  for (const int threads : {1, 2, 3, 16}) {
    std::vector<std::atomic<int>> calls(static_cast<size_t>(threads));
    in_parallel(threads, [&](int thread) { ++calls[static_cast<size_t>(thread)]; });
    for (const auto& count : calls) CHECK(count == 1);
  }
}

TEST_CASE("an exception keeps its type and the other threads end first") {
  for (const int thrower : {0, 1, 3}) {
    std::atomic<int> ended{0};
    const auto work = [&](int thread) {
      if (thread == thrower) throw UsageError("from a thread");
      ++ended;
    };
    CHECK_THROWS_WITH_AS(in_parallel(4, work), "from a thread", UsageError);
    CHECK(ended == 3);
  }
}

TEST_CASE("each piece comes once, to one of the threads") {
  for (const int threads : {1, 2, 16}) {
    for (const int64_t count : {0, 1, 5, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<size_t>(count));
      for_each_piece(threads, count, [&](int thread, int64_t piece) {
        if (thread < 0 || thread >= threads) throw std::out_of_range("thread");
        ++calls.at(static_cast<size_t>(piece));
      });
      for (const auto& times : calls) CHECK(times == 1);
    }
  }
}

TEST_CASE("one thread takes the pieces in order") {
  std::vector<int64_t> order;
  for_each_piece(1, 4, [&](int, int64_t piece) { order.push_back(piece); });
  CHECK(order == std::vector<int64_t>{0, 1, 2, 3});
}

TEST_CASE("a piece's exception keeps its type and ends the rest") {
  constexpr int64_t kMany = 1000000000;
  for (const int threads : {1, 4}) {
    std::atomic<int64_t> done{0};
    const auto work = [&](int, int64_t piece) {
      if (piece == 3) throw UsageError("from a piece");
      ++done;
    };
    CHECK_THROWS_WITH_AS(for_each_piece(threads, kMany, work), "from a piece", UsageError);
    CHECK(done < kMany - 1);
  }
}

TEST_CASE("of several exceptions one comes home") {
  CHECK_THROWS_AS(in_parallel(4, [](int) { throw std::runtime_error("each"); }),
                  std::runtime_error);
}

TEST_CASE("blocks cover all, whatever the number of threads") {
  for (const int threads : {0, 1, 2, 16}) {
    for (const int64_t count : {0, 1, 64, 65, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<size_t>(count));
      in_blocks(threads, count, 64, [&](int64_t begin, int64_t end) {
        if (begin % 64 != 0 || end > begin + 64) throw std::out_of_range("block");
        for (int64_t i = begin; i < end; ++i) ++calls.at(static_cast<size_t>(i));
      });
      for (const auto& times : calls) CHECK(times == 1);
    }
  }
}

TEST_CASE("what a piece calls runs on its own thread") {
  std::atomic<int64_t> sum{0};
  for_each_piece(4, 8, [&](int, int64_t) {
    const auto self = std::this_thread::get_id();
    for_each_piece(4, 3, [&](int thread, int64_t piece) {
      if (thread == 0 && std::this_thread::get_id() == self) sum += piece;
    });
  });
  CHECK(sum == 24);
}

// More threads than cores, teams that grow, and work so short that helpers come too late.
TEST_CASE("a team does each piece of many short works once") {
  std::atomic<int64_t> sum{0};
  std::atomic<bool> strayed{false};
  int64_t wanted = 0;
  for (int i = 0; i < 3000; ++i) {
    const int threads = 2 + i % 7 + (i > 1500 ? 9 : 0);
    const auto body = [&](int thread, int64_t piece) {
      sum += piece + 1;
      if (thread < 0 || thread >= threads) strayed = true;
    };
    const int64_t count = i % 23;
    run_on_team(threads, {body, count, false});
    wanted += count * (count + 1) / 2;
    CHECK(sum == wanted);
    if (i % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // all sleep
  }
  CHECK_FALSE(strayed);
}

TEST_CASE("a limit holds as long as it lives") {
  const auto most = [] {
    std::atomic<int> threads{0};
    for_each_piece(2, 200, [&](int thread, int64_t) {
      threads = std::max(threads.load(), thread + 1);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
    return threads.load();
  };
  {
    const TeamLimit limit(1);
    CHECK(most() == 1);
  }
  // A core may be too busy for a helper, but not each time.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  int threads = 0;
  while (machine_threads() > 1 && threads < 2 && std::chrono::steady_clock::now() < end) {
    threads = most();
  }
  CHECK(threads == (machine_threads() > 1 ? 2 : 0));
}

TEST_CASE("work that several threads would share goes to the stand-in of a team") {
  static std::vector<int64_t> counts;  // of pieces
  counts.clear();
  replace_teams(5, [](int threads, const TeamWork& work) {
    CHECK(threads == std::min<int64_t>(5, work.count));
    counts.push_back(work.count);
    for (int64_t piece = 0; piece < work.count; ++piece) work.body(threads - 1, piece);
  });
  int64_t sum = 0;
  const auto add = [&](int, int64_t piece) { sum += piece; };
  CHECK(machine_threads() == 5);
  for_each_piece(16, 100, add);
  for_each_piece(16, 3, [&](int, int64_t) { for_each_piece(16, 10, add); });  // nested: not shared
  for_each_piece(1, 100, add);
  for_each_piece(16, 1, add);
  replace_teams(0, nullptr);
  CHECK(counts == std::vector<int64_t>{100, 3});
  CHECK(sum == 2 * 4950 + 3 * 45);
}

TEST_CASE("pieces made on several threads are used in order") {
  for (const int threads : {1, 4}) {
    std::string all;
    in_order(
        threads, 40,
        [](int64_t i) {
          std::this_thread::sleep_for(std::chrono::microseconds((40 - i) % 7 * 100));
          return std::to_string(i) + ' ';
        },
        [&](const std::string& piece) { all += piece; });
    std::string expected;
    for (int i = 0; i < 40; ++i) expected += std::to_string(i) + ' ';
    CHECK(all == expected);
  }
}

TEST_CASE("a failure while pieces are made or used comes home and nothing hangs") {
  for (const int threads : {1, 4}) {
    int used = 0;
    const auto make = [](int64_t i) {
      if (i == 5) throw Error("made");
      return std::to_string(i);
    };
    const auto count = [&](const std::string&) { ++used; };
    CHECK_THROWS_WITH_AS(in_order(threads, 100, make, count), "made", Error);
    CHECK(used <= 5);
    const auto use = [](const std::string& piece) {
      if (piece == "3") throw Error("used");
    };
    CHECK_THROWS_WITH_AS(in_order(
                             threads, 100, [](int64_t i) { return std::to_string(i); }, use),
                         "used", Error);
  }
}

}  // namespace acevec
