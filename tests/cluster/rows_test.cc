// Tests of cluster/rows: where rows arrive, and what numbers are after they have been sent.

#include "cluster/rows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "cluster/thread_peers.h"

namespace acevec {

namespace {

// Row `id` of process `from`, of `width` numbers that bfloat16 has.
std::vector<float> values_of(int from, int32_t id, int64_t width) {
  return std::vector<float>(static_cast<size_t>(width), static_cast<float>(from * 16 + id));
}

void add(Rows& rows, int from, int32_t id) {
  rows.ids.push_back(id);
  const std::vector<float> values = values_of(from, id, rows.width);
  rows.values.insert(rows.values.end(), values.begin(), values.end());
}

}  // namespace

TEST_CASE("rows of several matrices arrive where they are for") {
  constexpr int kCount = 3;
  for (const Wire wire : {Wire::kFloat, Wire::kBfloat16}) {
    among_peers(kCount, [&](Peers& peers) {
      // Of the first matrix each process has row q for process q, of the second none but process 1.
      std::vector<Rows> own{{4, {}, {}, {}}, {3, std::vector<int>(kCount), {}, {}}};
      for (int to = 0; to < kCount; ++to) {
        own[0].counts.push_back(1);
        add(own[0], peers.rank(), to);
      }
      if (peers.rank() == 1) {
        own[1].counts[2] = 2;
        add(own[1], 1, 5);
        add(own[1], 1, 7);
      }
      int64_t bytes = 0;
      const std::vector<Rows> got = send_rows(own, To::kEach, wire, peers, bytes);
      REQUIRE(got.size() == 2);
      CHECK(got[0].counts == std::vector<int>(kCount, 1));
      for (int from = 0; from < kCount; ++from) {
        const auto i = static_cast<size_t>(from);
        CHECK(got[0].ids[i] == peers.rank());
        CHECK(std::vector<float>(got[0].row(i), got[0].row(i) + 4) ==
              values_of(from, peers.rank(), 4));
      }
      CHECK(got[1].ids ==
            (peers.rank() == 2 ? std::vector<int32_t>{5, 7} : std::vector<int32_t>{}));
      const int64_t number = wire == Wire::kFloat ? 4 : 2;
      CHECK(bytes == 2 * (4 + 4 * number) + (peers.rank() == 1 ? 2 * (4 + 3 * number) : 0));

      for (Rows& rows : own) rows.counts.assign(kCount, static_cast<int>(rows.ids.size()));
      const std::vector<Rows> all = send_rows(own, To::kAll, wire, peers, bytes);
      CHECK(all[0].counts == std::vector<int>(kCount, kCount));
      CHECK(all[1].ids == std::vector<int32_t>{5, 7});
      CHECK(std::vector<float>(all[1].row(1), all[1].row(1) + 3) == values_of(1, 7, 3));
    });
  }
}

TEST_CASE("bfloat16 keeps 8 bits, rounds to the nearest, and keeps NaN") {
  const auto rounded = [](float value) {
    std::vector<float> values{value};
    round_to(Wire::kBfloat16, values);
    return values[0];
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
