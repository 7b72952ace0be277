// When rows are due, how they travel, and how changes are combined that agree, that do not, and in
// between.

#include "cluster/row_exchange.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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

using Vectors = std::vector<std::vector<float>>;

// What comes of a row that each process has changed so.
std::vector<float> combined(const Vectors& changes, double times = 1) {
  Rows rows{std::ssize(changes[0]), Wire::kFloat, {std::vector<int>(changes.size()), {}}};
  for (const std::vector<float>& change : changes) rows.add(7, change.data());
  const Rows result = combine(rows, times);
  REQUIRE(result.size() == 1);
  CHECK(result.id(0) == 7);
  return row_of(result, 0);
}

void check_equal(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  for (size_t k = 0; k < a.size(); ++k) CHECK(a[k] == doctest::Approx(b[k]).epsilon(1e-5));
}

std::vector<float> total(const Vectors& changes, float factor) {
  std::vector<float> sum(changes[0].size());
  for (const std::vector<float>& change : changes) {
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += factor * change[k];
  }
  return sum;
}

double square(const std::vector<float>& row) {
  double sum = 0;
  for (const float x : row) sum += double{x} * x;
  return sum;
}

}  // namespace

TEST_CASE("rows of which nothing is known are always due") {
  const RowSchedule schedule(5, {}, 10, 64);
  for (int64_t round = 0; round < 4; ++round) {
    CHECK((schedule.due(round) == std::vector<int32_t>{0, 1, 2, 3, 4}));
  }
}

TEST_CASE("a row is due when it has changed about so often") {
  std::vector<double> changes;
  for (int row = 0; row < 2000; ++row) changes.push_back(1000.0 / (row + 1));
  constexpr int64_t kRarest = 64;
  const RowSchedule schedule(3000, changes, 10, kRarest);  // rows behind the last are as rare
  std::vector<int> times(3000);
  size_t most = 0;
  size_t least = 3000;
  for (int64_t round = 1; round <= kRarest; ++round) {
    const std::vector<int32_t> due = schedule.due(round);
    CHECK(std::is_sorted(due.begin(), due.end()));
    most = std::max(most, due.size());
    least = std::min(least, due.size());
    for (const int32_t row : due) ++times[static_cast<size_t>(row)];
  }
  for (size_t row = 0; row < times.size(); ++row) {
    REQUIRE(times[row] >= 1);
    const double period = static_cast<double>(kRarest) / times[row];
    const double expected = changes[std::min(row, changes.size() - 1)];
    if (period < kRarest) CHECK(period * expected >= 10);
    if (period > 1) CHECK(period / 2 * expected < 10);
  }
  CHECK(most - least <= 8);  // each exchange has its share
}

TEST_CASE("a row that is to be exchanged each time is") {
  const RowSchedule schedule(100, std::vector<double>(100, 1e-9), 10, 1);
  CHECK(schedule.due(7).size() == 100);
}

TEST_CASE("rows arrive at their owners, and at all") {
  constexpr int kPeers = 3;
  const std::vector<int> none(kPeers);
  for (const Wire wire : {Wire::kFloat, Wire::kBfloat16}) {
    among_peers(kPeers, [&](Peers& peers) {
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
      for (int from = 0; from < kPeers; ++from) {
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

TEST_CASE("one process's change is taken as it is") {
  check_equal(combined({{1, -2, 3}}), {1, -2, 3});
}

TEST_CASE("changes at right angles add up") {
  check_equal(combined({{2, 0, 0}, {0, 3, 0}, {0, 0, -1}}), {2, 3, -1});
}

TEST_CASE("what all have done counts once") {
  check_equal(combined(Vectors(4, {1, 2})), {1, 2});
}

TEST_CASE("changes against each other cancel out") {
  check_equal(combined({{1, 2}, {-1, -2}}), {0, 0});
  check_equal(combined({{0, 0}, {0, 0}}), {0, 0});
}

TEST_CASE("each row is combined of those who have changed it, and rows come by their ids") {
  Rows rows{1, Wire::kFloat, {std::vector<int>(2), {}}};
  const float one = 1;
  const float two = 2;
  for (const int32_t id : {2, 6}) rows.add(id, &one);  // the first process's
  for (const int32_t id : {4, 6}) rows.add(id, &two);
  const Rows result = combine(rows, 1);
  REQUIRE(result.size() == 3);
  for (size_t i = 0; i < 3; ++i) CHECK(result.id(i) == static_cast<int32_t>(2 + 2 * i));
  CHECK(row_of(result, 0)[0] == 1);
  CHECK(row_of(result, 1)[0] == 2);
  CHECK(row_of(result, 2)[0] == doctest::Approx(3 * 5.0 / 9));
}

TEST_CASE("with higher rates changes are shortened by them, or as they agree, whichever is more") {
  check_equal(combined({{2, 0}, {0, 4}}, 2), {1, 2});
  check_equal(combined({{2, 0}}, 2), {1, 0});
  check_equal(combined(Vectors(4, {1, 2}), 2), {1, 2});
  Random random(4);
  Vectors changes(3, std::vector<float>(20));
  for (std::vector<float>& change : changes) {
    for (float& x : change) x = random.uniform();
  }
  check_equal(combined(changes, 3), total(changes, 1.F / 3));
}

TEST_CASE("combined changes lie between the average and the sum, whatever their order") {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    Vectors changes(3, std::vector<float>(20));
    for (size_t k = 0; k < 20; ++k) {
      const float common = random.uniform();
      for (std::vector<float>& change : changes) change[k] = common + random.uniform() - 0.5F;
    }
    const std::vector<float> result = combined(changes);
    CHECK(square(total(changes, 1.F / 3)) < square(result));
    CHECK(square(result) < square(total(changes, 1)));
    check_equal(combined({changes.rbegin(), changes.rend()}), result);
  }
}

}  // namespace acevec
