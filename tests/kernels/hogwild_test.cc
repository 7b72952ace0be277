// Rows out and rows in, for every instruction set that this machine has.

#include "kernels/hogwild.h"

#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <vector>

#include <doctest/doctest.h>
#include "instruction_sets.h"

namespace acevec {

TEST_CASE("gather_rows copies, scatter_add adds and bounds each step") {
  for_each_instruction_set([] {
    Matrix matrix(5, 20);
    for (int64_t i = 0; i < 5; ++i) {
      for (int64_t k = 0; k < 20; ++k) matrix.row(i)[k] = static_cast<float>(100 * i + k);
    }
    const std::vector<int32_t> ids{3, 0, 3};
    AlignedFloats rows(3 * matrix.stride());
    gather_rows(matrix, ids.data(), 3, rows.data());
    for (int64_t k = 0; k < matrix.stride(); ++k) {
      CHECK(rows.data()[k] == (k < 20 ? static_cast<float>(300 + k) : 0.0F));
      CHECK(rows.data()[matrix.stride() + k] == (k < 20 ? static_cast<float>(k) : 0.0F));
    }

    // Row 3 gets a short step and one of length 5 that is cut to 2; row 0 a short one.
    AlignedFloats changes(3 * matrix.stride());
    changes.data()[0] = 1.0F;
    changes.data()[matrix.stride() + 1] = -2.0F;
    changes.data()[2 * matrix.stride() + 2] = 3.0F;
    changes.data()[2 * matrix.stride() + 19] = 4.0F;
    scatter_add(matrix, ids.data(), 3, changes.data(), 2.0F);
    CHECK(matrix.row(3)[0] == 301.0F);
    CHECK(matrix.row(3)[2] == doctest::Approx(302 + 3 * 2.0 / 5));
    CHECK(matrix.row(3)[19] == doctest::Approx(319 + 4 * 2.0 / 5));
    CHECK(matrix.row(0)[1] == -1.0F);
    CHECK(matrix.row(1)[0] == 100.0F);
    CHECK(matrix.row(3)[20] == 0.0F);
  });
}

TEST_CASE("rows are scored, scaled and added where they are") {
  for_each_instruction_set([] {
    Matrix matrix(4, 20);
    for (int64_t k = 0; k < 20; ++k) matrix.row(2)[k] = static_cast<float>(k);
    matrix.row(1)[0] = 5;
    const std::vector<int32_t> ids{2, 1};
    AlignedFloats rows(2 * matrix.stride());
    rows.data()[3] = 2;
    rows.data()[19] = 1;
    rows.data()[matrix.stride()] = -3;
    rows.data()[matrix.stride() + 1] = 4;
    std::vector<float> scores(2);
    score_with_rows(matrix, ids.data(), 2, rows.data(), scores.data());
    CHECK(scores == std::vector<float>{25, -15});
    AlignedFloats scaled(2 * matrix.stride());
    const std::vector<float> weights{-2, 0.5};
    scale_rows(matrix, ids.data(), weights.data(), 2, scaled.data());
    CHECK(scaled.data()[7] == -14.0F);
    CHECK(scaled.data()[matrix.stride()] == 2.5F);
    // Lengths are 2√5, cut to 2, and 5/2, cut too.
    scatter_add_scaled(matrix, {ids.data(), 2}, weights.data(), rows.data(), 2.0F, {ids.data(), 2});
    CHECK(matrix.row(2)[3] == doctest::Approx(3 - 4 / std::sqrt(5)));
    CHECK(matrix.row(2)[19] == doctest::Approx(19 - 2 / std::sqrt(5)));
    CHECK(matrix.row(2)[7] == 7.0F);
    CHECK(matrix.row(1)[0] == doctest::Approx(5 - 2 * 3.0 / 5));
    scatter_add_scaled(matrix, {ids.data(), 1}, weights.data(), rows.data(), 100.0F, {});
    CHECK(matrix.row(2)[4] == 4.0F);
    CHECK(matrix.row(2)[19] == doctest::Approx(17 - 2 / std::sqrt(5)));
  });
}

TEST_CASE("write_rows replaces rows, and of two writers of one row the later stays") {
  for_each_instruction_set([] {
    Matrix matrix(4, 20);
    for (int64_t k = 0; k < 20; ++k) matrix.row(2)[k] = 7;
    const std::vector<int32_t> ids{3, 2};
    AlignedFloats one(2 * matrix.stride());
    AlignedFloats other(2 * matrix.stride());
    gather_rows(matrix, ids.data(), 2, one.data());
    gather_rows(matrix, ids.data(), 2, other.data());
    one.data()[matrix.stride()] = 1;
    other.data()[0] = 5;
    other.data()[matrix.stride()] = 2;
    write_rows(matrix, ids.data(), 2, one.data());
    write_rows(matrix, ids.data(), 2, other.data());
    CHECK(matrix.row(3)[0] == 5.0F);
    CHECK(matrix.row(2)[0] == 2.0F);
    CHECK(matrix.row(2)[19] == 7.0F);
    CHECK(matrix.row(1)[0] == 0.0F);
  });
}

TEST_CASE("rows beyond 2^31 and 2^32 numbers are found") {
  constexpr int64_t kRows = 40000000;
  constexpr int64_t kColumns = 112;
  std::optional<Matrix> matrix;
  try {
    matrix.emplace(kRows, kColumns);  // 18 GB, of which only the rows that are touched are real
  } catch (const std::bad_alloc&) {
    MESSAGE("skipped: no room for 18 GB of addresses");
    return;
  }
  REQUIRE(matrix->bytes() > int64_t{4} << 32);
  std::vector<int32_t> ids;
  for (const int64_t floats : {int64_t{1} << 31, int64_t{1} << 32}) {
    const auto row = static_cast<int32_t>(floats / kColumns);
    ids.insert(ids.end(), {row - 1, row, row + 1});
  }
  ids.push_back(kRows - 1);
  const auto count = static_cast<int64_t>(ids.size());
  AlignedFloats changes(count * kColumns);
  for (int64_t i = 0; i < count * kColumns; ++i) changes.data()[i] = static_cast<float>(i);
  scatter_add(*matrix, ids.data(), count, changes.data(), std::numeric_limits<float>::infinity());
  AlignedFloats rows(count * kColumns);
  gather_rows(*matrix, ids.data(), count, rows.data());
  for (int64_t i = 0; i < count; ++i) {
    CHECK(rows.data()[i * kColumns + 5] == static_cast<float>(i * kColumns + 5));
    CHECK(matrix->row(0)[int64_t{ids[static_cast<size_t>(i)]} * kColumns + 5] ==
          static_cast<float>(i * kColumns + 5));
  }
  CHECK(matrix->row(0)[5] == 0.0F);  // where indices of 32 bits would have gone
}

}  // namespace acevec
