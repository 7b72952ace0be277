// Tests of cluster/rows: where rows arrive, and what numbers are after they have been sent.

#include "cluster/rows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "cluster/row_of.h"
#include "cluster/thread_peers.h"

namespace acevec {

namespace {

// Row `id` of process `from`, of `width` numbers that bfloat16 has.
std::vector<float> values_of(int from, int32_t id, int64_t width) {
  return std::vector<float>(static_cast<size_t>(width), static_cast<float>(from * 16 + id));
}

void add(Rows& rows, int from, int32_t id) {
  rows.add(id, values_of(from, id, rows.width).data());
}

}  // namespace

TEST_CASE("rows arrive at their owners, and at all") {
  constexpr int kCount = 3;
  const std::vector<int> none(kCount);
  for (const Wire wire : {Wire::kFloat, Wire::kBfloat16}) {
    among_peers(kCount, [&](Peers& peers) {
      // Each process has a row for each, and process 1 has two more for process 2.
      Rows own{4, wire, {none, {}}};
      add(own, peers.rank(), 0);
      add(own, peers.rank(), 1);
      for (const int32_t id : {2, 5, 8}) {
        if (id == 2 || peers.rank() == 1) add(own, peers.rank(), id);
      }
      int64_t bytes = 0;
      const Rows got = own.to_owners(peers, bytes);
      const std::vector<int> from_all =
          peers.rank() == 2 ? std::vector<int>{1, 3, 1} : std::vector<int>{1, 1, 1};
      CHECK(got.items.counts == from_all);
      size_t i = 0;
      for (int from = 0; from < kCount; ++from) {
        for (int n = 0; n < from_all[static_cast<size_t>(from)]; ++n, ++i) {
          const int32_t id = peers.rank() + 3 * n;
          CHECK(got.id(i) == id);
          CHECK(row_of(got, i) == values_of(from, id, 4));
        }
      }
      CHECK(got.size() == i);
      const int64_t row_bytes = 4 + 4 * (wire == Wire::kFloat ? 4 : 2);
      CHECK(bytes == (peers.rank() == 1 ? 4 : 2) * row_bytes);

      bytes = 0;
      const Rows all = own.to_all(peers, bytes);
      CHECK(all.items.counts == std::vector<int>{3, 5, 3});
      CHECK(all.id(7) == 8);
      CHECK(row_of(all, 7) == values_of(1, 8, 4));
      CHECK(bytes == 2 * (peers.rank() == 1 ? 5 : 3) * row_bytes);
    });
  }
}

TEST_CASE("bfloat16 keeps 8 bits, rounds to the nearest, and keeps NaN") {
  const auto rounded = [](float value) {
    Rows rows{1, Wire::kBfloat16, {{0}, {}}};
    rows.add(0, &value);
    return row_of(rows, 0)[0];
  };
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const float value = (random.uniform() - 0.5F) * std::pow(10.F, 20 * random.uniform() - 10);
    CHECK(std::abs(rounded(value) - value) <= std::abs(value) / 256);
    CHECK(rounded(rounded(value)) == rounded(value));
  }
  CHECK(rounded(1) == 1);
  CHECK(rounded(1 + 1.F / 256) == 1);  // half way: to the even one
  CHECK(rounded(1 + 3.F / 256) == 1 + 1.F / 64);
  CHECK(std::signbit(rounded(-0.F)));
  CHECK(std::isnan(rounded(std::numeric_limits<float>::quiet_NaN())));
  CHECK(std::isinf(rounded(std::numeric_limits<float>::infinity())));
  CHECK(std::isinf(rounded(std::numeric_limits<float>::max())));
}

}  // namespace acevec
