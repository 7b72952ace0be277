// Tests of cluster/collectives and cluster/bytes: all processes come to the same answers.

#include "cluster/collectives.h"

#include <doctest/doctest.h>

#include <mutex>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "cluster/thread_peers.h"

namespace acevec {

TEST_CASE("bytes come out as they were put in, and less than was expected is refused") {
  Bytes bytes;
  put(bytes, int64_t{-7});
  put_text(bytes, "word");
  const std::vector<double> numbers{1.5, 2.5};
  put_all(bytes, std::span<const double>(numbers));
  put_text(bytes, "");
  BytesReader reader(bytes);
  CHECK(reader.get<int64_t>() == -7);
  CHECK(reader.get_text() == "word");
  CHECK(reader.get_all<double>() == numbers);
  CHECK(reader.get_text().empty());
  CHECK(reader.empty());
  CHECK_THROWS_AS(reader.get<char>(), Error);
  Bytes endless;
  put(endless, int64_t{1} << 60);
  CHECK_THROWS_AS(BytesReader(endless).get_all<double>(), Error);
  put(endless, int64_t{-1});
  BytesReader negative(endless);
  negative.get<int64_t>();
  CHECK_THROWS_AS(negative.get_text(), Error);
}

TEST_CASE("processes find out together") {
  for (const int count : {1, 2, 5}) {
    std::mutex mutex;
    among_peers(count, [&](Peers& peers) {
      const int64_t own = 10 + peers.rank();
      const std::vector<int64_t> all = gather(peers, own);
      const int64_t total = sum(peers, own);
      const int64_t before = sum_before(peers, own);
      const int64_t first = first_of(peers, own);
      const std::lock_guard lock(mutex);
      REQUIRE(all.size() == static_cast<size_t>(count));
      CHECK(all.back() == 10 + count - 1);
      CHECK(total == 10 * count + count * (count - 1) / 2);
      CHECK(before == 10 * peers.rank() + peers.rank() * (peers.rank() - 1) / 2);
      CHECK(first == 10);
    });
  }
}

TEST_CASE("bits are united, however many there are") {
  for (const size_t words : {size_t{0}, size_t{1}, size_t{100}, (size_t{1} << 21) + 77}) {
    std::vector<std::vector<uint64_t>> filters(3, std::vector<uint64_t>(words));
    std::vector<uint64_t> expected(words);
    for (size_t i = 0; i < filters.size(); ++i) {
      Random random(i);
      for (size_t k = 0; k < words; ++k) expected[k] |= filters[i][k] = random() & random();
    }
    among_peers(3, [&](Peers& peers) { unite(peers, filters[static_cast<size_t>(peers.rank())]); });
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
