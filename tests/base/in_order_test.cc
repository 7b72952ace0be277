// Pieces come in order however long each takes, and a failure ends the rest.

#include "base/in_order.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include "base/error.h"

namespace acevec {

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
