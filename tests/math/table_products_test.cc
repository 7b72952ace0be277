// Both products of tables against plain loops in double, of numbers rounded as the precision says,
// at sizes on either side of a block's.
// Products in blocks against plain loops in double, at sizes on either side of a block's.

#include "math/table_products.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"
#include "kernels/hogwild.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec::table_products_test {
namespace {

AlignedFloats random_table(int64_t floats, Random& random) {
  AlignedFloats table(floats);
  for (int64_t i = 0; i < floats; ++i) table.data()[i] = random.uniform() - 0.5F;
  return table;
}

// As the products read it.
std::vector<double> operands(const float* numbers, int64_t count, ProductPrecision precision) {
  std::vector<float> rounded(numbers, numbers + count);
  if (precision == ProductPrecision::kBfloat16) round_to_bfloat16(rounded.data(), count);
  return {rounded.begin(), rounded.end()};
}

double farthest(const float* found, const std::vector<double>& expected) {
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, std::abs(expected[i] - double{found[i]}));
  }
  return worst;
}

void check(ProductPrecision precision, int64_t a_rows, int64_t b_rows, int64_t width, bool picked) {
  CAPTURE(picked);
  CAPTURE(a_rows);
  CAPTURE(b_rows);
  CAPTURE(width);
  Random random(1);
  const AlignedFloats a = random_table(a_rows * width, random);
  // b's rows are picked from a matrix: each second one, from the end; or the first ones.
  Matrix matrix(2 * b_rows, width);
  for (int64_t i = 0; i < 2 * b_rows * width; ++i) matrix.row(0)[i] = random.uniform() - 0.5F;
  std::vector<int32_t> ids;
  for (int64_t j = 0; j < b_rows; ++j) {
    ids.push_back(static_cast<int32_t>(picked ? 2 * (b_rows - j) - 1 : j));
  }
  AlignedFloats b(b_rows * width);
  gather_rows(matrix, ids.data(), b_rows, b.data());
  const int64_t stride = padded(b_rows + 1);
  // Larger tables than these may come too.
  const auto products = make_table_products(precision, {a_rows + 1, b_rows + 2, width, stride}, 2);
  AlignedFloats scores(a_rows * stride);
  products->score({a.data(), a_rows}, {matrix, picked ? ids.data() : nullptr, b_rows},
                  scores.data());

  const AlignedFloats weights = random_table(a_rows * stride, random);  // also behind rows' ends
  AlignedFloats a_changes(a_rows * width), b_changes(b_rows * width);
  a_changes.data()[0] = b_changes.data()[0] = 1;
  products->mix(weights.data(), a_changes.data(), b_changes.data(), picked);

  const std::vector<double> x = operands(a.data(), a_rows * width, precision);
  const std::vector<double> y = operands(b.data(), b_rows * width, precision);
  const std::vector<double> w = operands(weights.data(), a_rows * stride, precision);
  std::vector<double> to_a(x.size()), to_b(y.size());
  to_b[0] = picked ? 1 : 0;
  double worst = 0;
  for (int64_t i = 0; i < a_rows; ++i) {
    for (int64_t j = 0; j < b_rows; ++j) {
      const double weight = w[static_cast<size_t>(i * stride + j)];
      double sum = 0;
      for (int64_t k = 0; k < width; ++k) {
        const auto in_a = static_cast<size_t>(i * width + k);
        const auto in_b = static_cast<size_t>(j * width + k);
        sum += x[in_a] * y[in_b];
        to_a[in_a] += weight * y[in_b];
        to_b[in_b] += weight * x[in_a];
      }
      worst = std::max(worst, std::abs(sum - double{scores.data()[i * stride + j]}));
    }
  }
  CHECK(worst < 1e-4);
  CHECK(farthest(a_changes.data(), to_a) < 1e-4);
  CHECK(farthest(b_changes.data(), to_b) < 1e-4);
}

}  // namespace

TEST_CASE("products of tables are those of plain loops, with every precision") {
  for_each_instruction_set([] {
    for (const auto precision : {ProductPrecision::kFloat, ProductPrecision::kBfloat16}) {
      CAPTURE(static_cast<int>(precision));
      for (const int64_t width : {16, 208}) {
        for (const bool picked : {false, true}) {
          check(precision, 1, 1, width, picked);
          check(precision, 5, 301, width, picked);
          check(precision, 133, 67, width, picked);
        }
      }
    }
  });
}

}  // namespace acevec::table_products_test

namespace acevec {

TEST_CASE("products in blocks are those of plain loops") {
  for_each_instruction_set([] {
    Random random(1);
    for (const int64_t width : {16, 208}) {
      for (const auto& [a_rows, b_rows] :
           {std::pair<int64_t, int64_t>{1, 1}, {5, 300}, {133, 67}}) {
        AlignedFloats a(a_rows * width), b(b_rows * width);
        for (int64_t i = 0; i < a_rows * width; ++i) a.data()[i] = random.uniform() - 0.5F;
        for (int64_t i = 0; i < b_rows * width; ++i) b.data()[i] = random.uniform() - 0.5F;
        const int64_t stride = b_rows + 3;
        AlignedFloats scores(a_rows * stride);
        score_tables({a.data(), a_rows}, {b.data(), b_rows}, width, {scores.data(), stride});
        AlignedFloats mixed_b(a_rows * width), mixed_a(b_rows * width);
        for (int64_t i = 0; i < a_rows * width; ++i) mixed_b.data()[i] = 1;
        mix_tables({scores.data(), stride, 1}, a_rows, {b.data(), b_rows}, width, mixed_b.data());
        mix_tables({scores.data(), 1, stride}, b_rows, {a.data(), a_rows}, width, mixed_a.data());
        double worst = 0;
        std::vector<double> from_b(static_cast<size_t>(a_rows * width), 1.0);
        std::vector<double> from_a(static_cast<size_t>(b_rows * width), 0.0);
        for (int64_t i = 0; i < a_rows; ++i) {
          for (int64_t j = 0; j < b_rows; ++j) {
            double sum = 0;
            for (int64_t k = 0; k < width; ++k) {
              sum += double{a.data()[i * width + k]} * double{b.data()[j * width + k]};
            }
            worst = std::max(worst, std::abs(sum - double{scores.data()[i * stride + j]}));
            for (int64_t k = 0; k < width; ++k) {
              from_b[static_cast<size_t>(i * width + k)] += sum * double{b.data()[j * width + k]};
              from_a[static_cast<size_t>(j * width + k)] += sum * double{a.data()[i * width + k]};
            }
          }
        }
        CHECK(worst < 1e-4);
        for (size_t i = 0; i < from_b.size(); ++i) {
          worst = std::max(worst, std::abs(from_b[i] - double{mixed_b.data()[i]}));
        }
        for (size_t i = 0; i < from_a.size(); ++i) {
          worst = std::max(worst, std::abs(from_a[i] - double{mixed_a.data()[i]}));
        }
        CHECK(worst < 1e-3);
      }
    }
  });
}

}  // namespace acevec
