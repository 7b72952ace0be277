// Pools of samples: what is drawn is what was put in, evenly, also while others replace it.

#include "tasks/word/adversary.h"

#include <atomic>
#include <vector>

#include <doctest/doctest.h>
#include "base/error.h"
#include "base/parallel.h"
#include "container.h"
#include "temporary_folder.h"

namespace acevec {

TEST_CASE("a pool gives its own outcomes, each as often, until it is replaced or emptied") {
  SamplePools pools(3, 32, 1);
  Random random(1);
  CHECK(pools.draw(1, random) == -1);
  const std::vector<int32_t> outcomes{7, 8, 8, 9, 5};  // 32 is not a multiple of 5
  constexpr int kDraws = 100000;
  std::vector<int> counts(10, 0);
  for (int i = 0; i < kDraws; ++i) {
    pools.replace(1, outcomes.data(), 5, random);
    ++counts[static_cast<size_t>(pools.draw(1, random))];
  }
  double chi_square = 0;  // 3 degrees of freedom: 21.1 has probability 1e-4
  for (const int32_t y : {5, 7, 8, 9}) {
    const double wanted = kDraws * (y == 8 ? 0.4 : 0.2);
    const double off = counts[static_cast<size_t>(y)] - wanted;
    chi_square += off * off / wanted;
  }
  CHECK(chi_square < 21.1);
  CHECK(counts[5] + counts[7] + counts[8] + counts[9] == kDraws);
  CHECK(pools.draw(0, random) == -1);
  CHECK(pools.draw(2, random) == -1);
  pools.replace(1, nullptr, 0, random);
  CHECK(pools.draw(1, random) == -1);
}

TEST_CASE("a whole pool is kept when there are as many outcomes as it has places") {
  SamplePools pools(1, 4, 100);
  Random random(2);
  const std::vector<int32_t> outcomes{1, 2, 3, 4};
  pools.replace(0, outcomes.data(), 4, random);
  std::vector<bool> seen(5, false);
  for (int i = 0; i < 200; ++i) seen[static_cast<size_t>(pools.draw(0, random))] = true;
  CHECK(seen == std::vector<bool>{false, true, true, true, true});
}

TEST_CASE("a pool is used up when each of its outcomes was given so many times") {
  SamplePools pools(2, 8, 3);
  Random random(3);
  const std::vector<int32_t> outcomes{1, 2, 3, 4, 5};
  pools.replace(1, outcomes.data(), 5, random);
  for (int i = 0; i < 15; ++i) CHECK(pools.draw(1, random) > 0);
  CHECK(pools.draw(1, random) == -1);
  CHECK(pools.draw(1, random) == -1);
  pools.replace(1, outcomes.data(), 1, random);
  CHECK(pools.draw(1, random) == 1);
}

TEST_CASE("threads that draw at once get no more than there is") {
  constexpr int64_t kUses = 1000000;
  SamplePools pools(1, 1, kUses);
  Random random(4);
  const int32_t y = 7;
  pools.replace(0, &y, 1, random);
  std::atomic<int64_t> drawn{0};
  in_parallel(2, [&](int thread) {
    Random own(static_cast<uint64_t>(thread));
    int64_t count = 0;
    while (pools.draw(0, own) == 7) ++count;
    drawn += count;
  });
  CHECK(drawn == kUses);
}

TEST_CASE("threads replace and draw at once") {
  SamplePools pools(1, 32, 5);
  in_parallel(2, [&](int thread) {
    Random random(static_cast<uint64_t>(thread));
    const int32_t y = 10 + thread;
    for (int i = 0; i < 20000; ++i) {
      pools.replace(0, &y, 1, random);
      const int32_t drawn = pools.draw(0, random);
      REQUIRE((drawn == 10 || drawn == 11 || drawn == -1));
    }
  });
}

TEST_CASE("pools come back, and none with draws or outcomes that cannot be") {
  const TemporaryFolder folder;
  SamplePools pools(2, 3, 5);
  Random random(4);
  const int32_t y = 1;
  pools.replace(1, &y, 1, random);
  CheckpointWriter file(folder.path("pools"));
  pools.save(file);
  file.commit();
  const std::string bytes = folder.read("pools");
  const auto load = [&](const std::string& container) {
    CheckpointReader read(folder.write("read", container));
    pools.load(2, read);
  };
  CHECK_NOTHROW(load(bytes));
  CHECK(pools.draw(1, random) == 1);
  CHECK_THROWS_AS(load(forged(bytes, "draws left", 0, int32_t{-1})), Error);
  for (const int32_t outcome : {-1, 2}) {
    CHECK_THROWS_AS(load(forged(bytes, "pools", 5, outcome)), Error);
  }
}

}  // namespace acevec
