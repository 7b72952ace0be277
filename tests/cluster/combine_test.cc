// Tests of cluster/combine: what becomes of changes that agree, that do not, and in between.

#include "cluster/combine.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace acevec {
namespace {

using Vectors = std::vector<std::vector<float>>;

std::vector<float> combined(Combine how, const Vectors& changes, int processes, double times = 1) {
  std::vector<const float*> rows;
  for (const std::vector<float>& change : changes) rows.push_back(change.data());
  std::vector<float> result(changes[0].size());
  combine({how, processes, times}, rows, static_cast<int64_t>(result.size()), result.data());
  return result;
}

void check_equal(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  for (size_t k = 0; k < a.size(); ++k) CHECK(a[k] == doctest::Approx(b[k]).epsilon(1e-5));
}

constexpr Combine kAll[] = {Combine::kAverage, Combine::kSum, Combine::kProjection,
                            Combine::kScaled};

}  // namespace

TEST_CASE("one process's change is taken as it is, but for the average") {
  const Vectors change{{1, -2, 3}};
  for (const Combine how : kAll) {
    if (how != Combine::kAverage) check_equal(combined(how, change, 4), change[0]);
  }
  check_equal(combined(Combine::kAverage, change, 4), {0.25F, -0.5F, 0.75F});
}

TEST_CASE("changes at right angles add up") {
  const Vectors changes{{2, 0, 0}, {0, 3, 0}, {0, 0, -1}};
  for (const Combine how : {Combine::kSum, Combine::kProjection, Combine::kScaled}) {
    check_equal(combined(how, changes, 3), {2, 3, -1});
  }
  check_equal(combined(Combine::kAverage, changes, 3), {2.F / 3, 1, -1.F / 3});
}

TEST_CASE("what all have done counts once") {
  const Vectors changes(4, {1, 2});
  check_equal(combined(Combine::kSum, changes, 4), {4, 8});
  for (const Combine how : {Combine::kAverage, Combine::kProjection, Combine::kScaled}) {
    check_equal(combined(how, changes, 4), {1, 2});
  }
}

TEST_CASE("changes against each other cancel out") {
  for (const Combine how : {Combine::kAverage, Combine::kSum, Combine::kScaled}) {
    check_equal(combined(how, {{1, 2}, {-1, -2}}, 2), {0, 0});
  }
  check_equal(combined(Combine::kProjection, {{1, 2}, {-1, -2}}, 2), {0, 0});
  check_equal(combined(Combine::kScaled, {{0, 0}, {0, 0}}, 2), {0, 0});
}

TEST_CASE(
    "with higher rates scaled changes are shortened by them, or as they agree, whichever is more") {
  check_equal(combined(Combine::kScaled, {{2, 0}, {0, 4}}, 2, 2), {1, 2});
  check_equal(combined(Combine::kScaled, {{2, 0}}, 2, 2), {1, 0});
  check_equal(combined(Combine::kScaled, Vectors(4, {1, 2}), 4, 2), {1, 2});
  Random random(4);
  Vectors changes(3, std::vector<float>(20));
  for (std::vector<float>& change : changes) {
    for (float& x : change) x = random.uniform();
  }
  check_equal(combined(Combine::kScaled, changes, 3, 3), combined(Combine::kAverage, changes, 3));
}

TEST_CASE("scaled and projected changes lie between the average and the sum") {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    Vectors changes(3, std::vector<float>(20));
    for (int k = 0; k < 20; ++k) {
      const float common = random.uniform();
      for (std::vector<float>& change : changes) {
        change[static_cast<size_t>(k)] = common + random.uniform() - 0.5F;
      }
    }
    const auto length = [&](Combine how) {
      double sum = 0;
      for (const float x : combined(how, changes, 3)) sum += x * x;
      return std::sqrt(sum);
    };
    CHECK(length(Combine::kAverage) < length(Combine::kScaled));
    CHECK(length(Combine::kScaled) < length(Combine::kSum));
    CHECK(length(Combine::kAverage) < length(Combine::kProjection));
    CHECK(length(Combine::kProjection) < length(Combine::kSum));
    Vectors turned(changes.rbegin(), changes.rend());
    check_equal(combined(Combine::kScaled, turned, 3), combined(Combine::kScaled, changes, 3));
  }
}

}  // namespace acevec
