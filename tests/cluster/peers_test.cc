// Tests of cluster/peers: all processes come to the same answers.

#include "cluster/peers.h"

#include <doctest/doctest.h>

#include <mutex>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "cluster/thread_peers.h"

namespace acevec {

TEST_CASE("processes find out together") {
  for (const int count : {1, 2, 5}) {
    std::mutex mutex;
    among_peers(count, [&](Peers& peers) {
      const int64_t own = 10 + peers.rank();
      const std::vector<int64_t> all = gather(peers, own);
      const int64_t total = peers.allreduce_sum(own);
      const int64_t before = peers.exscan(own);
      const std::lock_guard lock(mutex);
      REQUIRE(all.size() == static_cast<size_t>(count));
      CHECK(all.back() == 10 + count - 1);
      CHECK(total == 10 * count + count * (count - 1) / 2);
      CHECK(before == 10 * peers.rank() + peers.rank() * (peers.rank() - 1) / 2);
      CHECK(all.front() == 10);
    });
  }
}

TEST_CASE("groups go to those that they are for, and to all") {
  constexpr size_t kGroup = 3;
  for (const int count : {1, 2, 4}) {
    among_peers(count, [&](Peers& peers) {
      // From process p come p + q groups for process q, of the numbers 100 p + q.
      const auto groups = [](int from, int to) { return static_cast<size_t>(from + to); };
      Items<int> own;
      std::vector<int> expected;
      for (int other = 0; other < count; ++other) {
        const int rank = peers.rank();
        own.counts.push_back(static_cast<int>(groups(rank, other)));
        own.items.insert(own.items.end(), kGroup * groups(rank, other), 100 * rank + other);
        expected.insert(expected.end(), kGroup * groups(other, rank), 100 * other + rank);
      }
      const Items<int> received = all_to_all(peers, own, kGroup);
      CHECK(received.items == expected);
      CHECK(received.counts == own.counts);  // p + q = q + p
      const Items<int> all = gather_all(peers, own.items, kGroup);
      CHECK(all.counts[static_cast<size_t>(peers.rank())] == static_cast<int>(own.groups()));
      CHECK(all.items.size() == kGroup * all.groups());
      if (count > 1) CHECK(all.items.back() == 100 * (count - 1) + count - 1);
    });
  }
}

TEST_CASE("bits are united") {
  for (const size_t words : {size_t{0}, size_t{1}, size_t{100}}) {
    std::vector<std::vector<uint64_t>> filters(3, std::vector<uint64_t>(words));
    std::vector<uint64_t> expected(words);
    for (size_t i = 0; i < filters.size(); ++i) {
      Random random(i);
      for (size_t k = 0; k < words; ++k) expected[k] |= filters[i][k] = random() & random();
    }
    among_peers(
        3, [&](Peers& peers) { peers.allreduce_or(filters[static_cast<size_t>(peers.rank())]); });
    for (const std::vector<uint64_t>& filter : filters) CHECK((filter == expected));
  }
}

TEST_CASE("what differs is refused in all processes") {
  for (const std::string other : {"same", "other"}) {
    int refused = 0;
    std::mutex mutex;
    among_peers(3, [&](Peers& peers) {
      try {
        require_same(peers, peers.rank() == 1 ? other : "same", "other options");
      } catch (const Error& error) {
        const std::lock_guard lock(mutex);
        CHECK(std::string(error.what()).starts_with("process 1 has other options than process 0"));
        ++refused;
      }
    });
    CHECK(refused == (other == "same" ? 0 : 3));
  }
}

}  // namespace acevec
