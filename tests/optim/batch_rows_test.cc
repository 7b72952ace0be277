// A step on some rows of a matrix, against the same step on all of them at once.

#include "optim/batch_rows.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec {
namespace {

constexpr int64_t kRows = 50;
constexpr int64_t kColumns = 20;

Matrix random_matrix() {
  Matrix matrix(kRows, kColumns);
  Random random(7);
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t k = 0; k < kColumns; ++k) matrix.row(i)[k] = random.uniform();
  }
  return matrix;
}

}  // namespace

TEST_CASE("a row has one place until the step ends, and no two share one") {
  Matrix matrix = random_matrix();
  Matrix none(0, 0);  // plain steps have no moments
  BatchRows rows(matrix, none, {OptimizerKind::kSgd}, 3);
  for (const std::vector<int32_t>& ids : {std::vector{4, 9, 4, 0}, {0, 9}, {49}}) {
    std::set<int64_t> places;
    for (const int32_t id : ids) places.insert(rows.place(id));
    const std::set<int32_t> different(ids.begin(), ids.end());
    CHECK(rows.count() == static_cast<int64_t>(different.size()));
    CHECK(places.size() == different.size());
    rows.gather();
    for (const int32_t id : different) {
      const int64_t at = rows.place(id);
      CHECK(places.contains(at));
      CHECK(std::equal(matrix.row(id), matrix.row(id) + rows.width(), rows.values() + at));
      for (int64_t k = 0; k < rows.width(); ++k) CHECK(rows.changes()[at + k] == 0);
      rows.changes()[at] = 1;  // not there any more in the next step
    }
    rows.add();
    CHECK(rows.count() == 0);
  }
}

TEST_CASE("steps on rows are the optimizer's, by its clock and rate, and touch no others") {
  OptimizerSettings settings;
  settings.by_time = true;
  settings.weight_decay = 0.1F;
  Matrix matrix = random_matrix();
  Matrix wanted = random_matrix();
  const int64_t width = matrix.stride();
  Matrix moments = Optimizer::moments_for(settings, kRows, width);
  Matrix other_moments = Optimizer::moments_for(settings, kRows, width);
  constexpr size_t kTouched = 40;  // more than are taken together
  BatchRows rows(matrix, moments, settings, kTouched);
  Optimizer optimizer(settings, other_moments, width, 1);
  Random random(3);
  for (int64_t step = 1; step < 30; step += 1 + random.below(5)) {
    const float rate = 1 / static_cast<float>(step);
    std::set<int32_t> ids;
    while (ids.size() < kTouched) ids.insert(static_cast<int32_t>(random.below(kRows)));
    for (const int32_t id : ids) rows.place(id);
    rows.gather();
    optimizer.set_step(step);
    optimizer.set_rate(rate);
    for (const int32_t id : ids) {
      AlignedFloats gradient(width);
      for (int64_t k = 0; k < kColumns; ++k) gradient.data()[k] = random.uniform() - 0.5F;
      std::copy_n(gradient.data(), width, rows.changes() + rows.place(id));
      optimizer.changes(&id, 1, wanted.row(id), gradient.data());
      for (int64_t k = 0; k < width; ++k) wanted.row(id)[k] += gradient.data()[k];
    }
    rows.step(step, rate);
    CHECK(rows.count() == 0);
  }
  double moved = 0;
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t k = 0; k < width; ++k) {
      CHECK(matrix.row(i)[k] == doctest::Approx(wanted.row(i)[k]));
      moved = std::max(moved, std::abs(double{matrix.row(i)[k]}));
    }
  }
  CHECK(moved > 1.5);
}

}  // namespace acevec
