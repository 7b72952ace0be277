// Tests of combine() in cluster/rows: changes that agree, that do not, and in between.

#include <doctest/doctest.h>

#include <iterator>
#include <vector>

#include "base/random.h"
#include "cluster/row_of.h"

namespace acevec {
namespace {

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
