// A step on some rows of two matrices, against the optimizer's step on each row's summed gradient.

#include "optim/step_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/random.h"

namespace acevec::step_rows_test {
namespace {

constexpr int64_t kColumns = 20;
constexpr int64_t kRows[] = {300, 5};  // of the tables

Matrix random_matrix(int64_t rows) {
  Matrix matrix(rows, kColumns);
  Random random(7);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < kColumns; ++k) matrix.row(i)[k] = random.uniform();
  }
  return matrix;
}

struct World {
  explicit World(const OptimizerSettings& settings)
      : one(random_matrix(kRows[0])),
        two(random_matrix(kRows[1])),
        one_moments(Optimizer::moments_for(settings, kRows[0], one.stride())),
        two_moments(Optimizer::moments_for(settings, kRows[1], two.stride())) {}

  Matrix one, two, one_moments, two_moments;
};

// Rows of occurrences, as many different ones first as are dense. Some are frequent, some have no
// row.
std::vector<int32_t> random_rows(int64_t count, int64_t dense, Random& random) {
  std::vector<int32_t> rows;
  for (int64_t i = 0; i < dense; ++i) rows.push_back(static_cast<int32_t>(2 * i));
  while (std::ssize(rows) < count) {
    const uint32_t kind = random.below(10);
    rows.push_back(kind == 0  ? -1
                   : kind < 4 ? static_cast<int32_t>(kRows[0] + random.below(kRows[1]))
                              : static_cast<int32_t>(random.below(kRows[0])));
  }
  return rows;
}

// What an occurrence adds, to the first column only. Sums of these are exact in any order.
float gradient_of(int64_t occurrence) {
  return static_cast<float>(occurrence % 97 + 1) / 1024;
}

constexpr int64_t kMost = 5000;

// Two steps on those rows.
void take_steps(World& world, const OptimizerSettings& settings, int threads, int64_t count,
                int64_t dense) {
  StepRows rows({{world.one, world.one_moments}, {world.two, world.two_moments}}, settings, kMost,
                threads);
  for (int64_t number = 1; number <= 3; number += 2) {
    Random random(11, Stream::kUnnamed, number);
    const std::vector<int32_t> ids = random_rows(count, dense, random);
    std::fill_n(rows.dense(), dense * rows.width(), 0.5F);
    rows.group(ids.data(), count, dense);
    rows.accumulate([](int64_t occurrence, float* sum) { sum[0] += gradient_of(occurrence); });
    rows.step(number, 0.1F, [](const float* row, float* change) {
      if (row[1] + change[1] < 0.5F) change[1] = 0.5F - row[1];
    });
  }
}

// The same, row by row.
void take_plain_steps(World& world, OptimizerSettings settings, int64_t count, int64_t dense) {
  settings.rate = 0.1F;
  const int64_t width = world.one.stride();
  for (int64_t number = 1; number <= 3; number += 2) {
    Random random(11, Stream::kUnnamed, number);
    const std::vector<int32_t> ids = random_rows(count, dense, random);
    for (int32_t row = 0; row < kRows[0] + kRows[1]; ++row) {
      if (std::find(ids.begin(), ids.end(), row) == ids.end()) continue;
      AlignedFloats gradient(width);
      for (int64_t i = 0; i < count; ++i) {
        if (ids[static_cast<size_t>(i)] != row) continue;
        if (i < dense) std::fill_n(gradient.data(), width, 0.5F);
        if (i >= dense) gradient.data()[0] += gradient_of(i);
      }
      const bool first = row < kRows[0];
      const int64_t id = first ? row : row - kRows[0];
      float* const values = (first ? world.one : world.two).row(id);
      take_row_step(settings, number, first ? world.one_moments : world.two_moments, id, width,
                    values, gradient.data());
      for (int64_t k = 0; k < width; ++k) values[k] += gradient.data()[k];
      values[1] = std::max(values[1], 0.5F);
    }
  }
}

OptimizerSettings settings_for(OptimizerKind kind) {
  OptimizerSettings settings{kind};
  settings.by_time = kind == OptimizerKind::kAdam;
  settings.weight_decay = kind == OptimizerKind::kAdam ? 0.1F : 0;
  return settings;
}

}  // namespace

TEST_CASE("each row takes one step of its summed gradient, bounded, and no other row does") {
  for (const OptimizerKind kind :
       {OptimizerKind::kSgd, OptimizerKind::kAdam, OptimizerKind::kAdagrad}) {
    const OptimizerSettings settings = settings_for(kind);
    for (const int64_t count : {int64_t{0}, int64_t{3}, int64_t{700}, kMost}) {
      for (const int64_t dense : {int64_t{0}, std::min(count, int64_t{100})}) {
        CAPTURE(count);
        CAPTURE(dense);
        World found(settings), wanted(settings);
        take_steps(found, settings, 2, count, dense);
        take_plain_steps(wanted, settings, count, dense);
        double worst = 0;
        for (Matrix World::*matrix : {&World::one, &World::two}) {
          for (int64_t i = 0; i < (found.*matrix).rows(); ++i) {
            for (int64_t k = 0; k < kColumns; ++k) {
              worst = std::max(worst, std::abs(double{(found.*matrix).row(i)[k]} -
                                               double{(wanted.*matrix).row(i)[k]}));
            }
          }
        }
        CHECK(worst < 1e-5);
      }
    }
  }
}

TEST_CASE("the step is the same to the byte with any number of threads") {
  const OptimizerSettings settings = settings_for(OptimizerKind::kAdam);
  World wanted(settings);
  take_steps(wanted, settings, 1, kMost, 100);
  for (const int threads : {2, 3, 5, 16}) {
    World found(settings);
    take_steps(found, settings, threads, kMost, 100);
    for (Matrix World::*matrix :
         {&World::one, &World::two, &World::one_moments, &World::two_moments}) {
      CHECK(std::memcmp((found.*matrix).row(0), (wanted.*matrix).row(0),
                        static_cast<size_t>((wanted.*matrix).bytes())) == 0);
    }
  }
}

}  // namespace acevec::step_rows_test
