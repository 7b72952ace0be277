// However often a row occurs in a block, it takes one step, of the sum of its gradients.
// Ids are numbered as they come.

#include "optim/step_rows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "base/random.h"

namespace acevec::row_steps_test {
namespace {

constexpr float kNoLimit = std::numeric_limits<float>::infinity();
constexpr int64_t kRows = 30;
constexpr int64_t kColumns = 20;

// Of each row the same number everywhere.
Matrix matrix_of_ones() {
  Matrix matrix(kRows, kColumns);
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t k = 0; k < kColumns; ++k) matrix.row(i)[k] = 1;
  }
  return matrix;
}

std::vector<int32_t> random_ids(int64_t count, Random& random) {
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < count; ++i) {
    // Few of the first ten, many of them twice and more.
    ids.push_back(
        static_cast<int32_t>(random.below(3) == 0 ? 10 + random.below(20) : random.below(10)));
  }
  return ids;
}

}  // namespace

TEST_CASE("rows take the step that the optimizer makes of the sum of their gradients") {
  for (const OptimizerKind kind : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    OptimizerSettings settings;
    settings.kind = kind;
    settings.rate = 0.1F;
    settings.weight_decay = 0.2F;
    Matrix matrix = matrix_of_ones();
    Matrix wanted = matrix_of_ones();
    const int64_t width = matrix.stride();
    Matrix moments = Optimizer::moments_for(settings, kRows, width);
    Matrix other_moments = Optimizer::moments_for(settings, kRows, width);
    constexpr int64_t kMost = 64;
    RowSteps steps(matrix, moments, settings, kMost, kNoLimit);
    Optimizer optimizer(settings, other_moments, width, 1);
    Random random(2);
    for (int block = 0; block < 40; ++block) {
      const auto count = static_cast<int64_t>(1 + random.below(kMost));
      const std::vector<int32_t> ids = random_ids(count, random);
      AlignedFloats gradients(count * width);
      AlignedFloats values(count * width);
      std::vector<AlignedFloats> sums;
      for (int64_t i = 0; i < kRows; ++i) sums.emplace_back(width);
      std::vector<bool> touched(kRows);
      for (int64_t i = 0; i < count; ++i) {
        const int32_t id = ids[static_cast<size_t>(i)];
        touched[static_cast<size_t>(id)] = true;
        for (int64_t k = 0; k < kColumns; ++k) {
          const float gradient = random.uniform() - 0.4F;
          gradients.data()[i * width + k] = gradient;
          sums[static_cast<size_t>(id)].data()[k] += gradient;
          values.data()[i * width + k] = matrix.row(id)[k];
        }
      }
      steps.take(ids.data(), count, gradients.data(), values.data());
      for (int32_t id = 0; id < kRows; ++id) {
        if (!touched[static_cast<size_t>(id)]) continue;
        float* const sum = sums[static_cast<size_t>(id)].data();
        optimizer.changes(&id, 1, wanted.row(id), sum);
        for (int64_t k = 0; k < kColumns; ++k) wanted.row(id)[k] += sum[k];
      }
      for (int64_t i = 0; i < kRows; ++i) {
        for (int64_t k = 0; k < kColumns; ++k) {
          REQUIRE(matrix.row(i)[k] == doctest::Approx(wanted.row(i)[k]).epsilon(1e-4));
        }
      }
    }
  }
}

TEST_CASE("a row that occurs 64 times takes one bounded step") {
  constexpr int64_t kCount = 65;
  std::vector<int32_t> ids(kCount, 7);
  ids[30] = 3;
  for (const OptimizerKind kind : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    OptimizerSettings settings;
    settings.kind = kind;
    settings.rate = 1;
    settings.ascend = true;
    Matrix matrix = matrix_of_ones();
    Matrix moments = Optimizer::moments_for(settings, kRows, matrix.stride());
    RowSteps steps(matrix, moments, settings, kCount, 2);
    AlignedFloats gradients(kCount * matrix.stride());
    for (int64_t i = 0; i < kCount; ++i) {
      for (int64_t k = 0; k < 16; ++k) gradients.data()[i * matrix.stride() + k] = 0.25F;
    }
    steps.take(ids.data(), kCount, gradients.data());
    for (int64_t k = 0; k < kColumns; ++k) {
      // Of length 2 in 16 columns.
      CHECK(matrix.row(7)[k] == doctest::Approx(k < 16 ? 1.5 : 1.0).epsilon(1e-5));
      const double other = kind == OptimizerKind::kAdam ? 1.5 : 1.25;
      CHECK(matrix.row(3)[k] == doctest::Approx(k < 16 ? other : 1.0).epsilon(1e-5));
      CHECK(matrix.row(0)[k] == 1.0F);
    }
  }
}

}  // namespace acevec::row_steps_test

namespace acevec {

TEST_CASE("an id has one place, the next that is free, until all are forgotten") {
  constexpr int64_t kMost = 100;
  Places places(kMost);
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    std::map<int32_t, int64_t> wanted;
    // Few, or as many as there is room for; near each other, or anywhere up to 2³¹.
    const uint32_t range = round % 2 == 0 ? 150 : 0x7fffffff;
    while (static_cast<int64_t>(wanted.size()) < (round % 3 == 0 ? 5 : kMost)) {
      const auto id = static_cast<int32_t>(random.below(range));
      const auto next = static_cast<int64_t>(wanted.size());
      const int64_t place = wanted.try_emplace(id, next).first->second;
      REQUIRE(places.place(id) == place);
      REQUIRE(places.count() == static_cast<int64_t>(wanted.size()));
    }
    for (const auto& [id, place] : wanted) {
      CHECK(places.place(id) == place);
      CHECK(places.ids()[place] == id);
    }
    places.clear();
    CHECK(places.count() == 0);
  }
}

}  // namespace acevec
