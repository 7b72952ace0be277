// Tests of cluster/combine: what becomes of changes that agree, that do not, and in between.

#include "cluster/combine.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/random.h"

namespace acevec {
namespace {

using Vectors = std::vector<std::vector<float>>;

std::vector<float> combined(const Vectors& changes, double times = 1) {
  std::vector<const float*> rows;
  for (const std::vector<float>& change : changes) rows.push_back(change.data());
  std::vector<float> result(changes[0].size());
  combine(rows, times, static_cast<int64_t>(result.size()), result.data());
  return result;
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
