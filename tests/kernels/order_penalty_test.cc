// The order penalty against its definition, its gradient against finite differences, tables of
// penalties against one pair at a time; all for every instruction set that this machine has.

#include "kernels/order_penalty.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec {
namespace {

constexpr int64_t kColumns = 20;
constexpr int64_t kWidth = padded(kColumns);

std::vector<float> random_row(Random& random) {
  std::vector<float> row(static_cast<size_t>(kWidth));
  for (int64_t k = 0; k < kColumns; ++k) row[static_cast<size_t>(k)] = 2 * random.uniform();
  return row;
}

Matrix random_rows(int64_t rows, int64_t columns, Random& random) {
  Matrix matrix(rows, columns);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < columns; ++k) matrix.row(i)[k] = random.uniform();
  }
  return matrix;
}

}  // namespace

TEST_CASE("the penalty is the squared part of y that exceeds x") {
  Random random(1);
  const std::vector<float> x = random_row(random);
  const std::vector<float> y = random_row(random);
  double wanted = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    const double over = std::max(0.0, double{y[k]} - double{x[k]});
    wanted += over * over;
  }
  for_each_instruction_set([&] {
    CHECK(order_penalty(x.data(), y.data(), kWidth) == doctest::Approx(wanted).epsilon(1e-6));
    CHECK(order_penalty(x.data(), x.data(), kWidth) == 0);
  });
}

TEST_CASE("the gradient of the penalty agrees with finite differences") {
  Random random(2);
  std::vector<float> x = random_row(random);
  std::vector<float> y = random_row(random);
  constexpr float kScale = -0.7F;
  for_each_instruction_set([&] {
    std::vector<float> x_gradient(x.size(), 5.0F);  // added to what is there
    std::vector<float> y_gradient(y.size(), -5.0F);
    add_penalty_gradient(x.data(), y.data(), kWidth, kScale, x_gradient.data(), y_gradient.data());
    constexpr float kStep = 1e-2F;  // a parabola's central difference is exact
    const auto slope = [&](float& coordinate) {
      const float was = coordinate;
      coordinate = was + kStep;
      const float above = order_penalty(x.data(), y.data(), kWidth);
      coordinate = was - kStep;
      const float below = order_penalty(x.data(), y.data(), kWidth);
      coordinate = was;
      return kScale * (above - below) / (2 * kStep);
    };
    for (size_t k = 0; k < kColumns; ++k) {
      if (std::abs(y[k] - x[k]) < 2 * kStep) continue;  // the kink
      CHECK(x_gradient[k] - 5 == doctest::Approx(slope(x[k])).epsilon(1e-2));
      CHECK(y_gradient[k] + 5 == doctest::Approx(slope(y[k])).epsilon(1e-2));
    }
  });
}

TEST_CASE("a negative costs what is missing to the margin") {
  CHECK(negative_loss(0.25F, 1) == 0.75F);
  CHECK(negative_loss(1, 1) == 0);
  CHECK(negative_loss(7, 1) == 0);
}

TEST_CASE("a table of penalties holds what each pair costs") {
  for_each_instruction_set([] {
    Random random(1);
    for (const int64_t columns : {1, 16, 20, 50}) {
      for (const int64_t count : {1, 15, 16, 17, 40}) {
        constexpr int64_t kRows = 5;
        const int64_t stride = count + 3;
        const Matrix conditions = random_rows(kRows, columns, random);
        const Matrix others = random_rows(count, columns, random);
        for (const Replaced replaced : {Replaced::kGeneral, Replaced::kSpecific}) {
          std::vector<float> table(static_cast<size_t>(kRows * stride), -1.0F);
          penalty_table(replaced, {conditions.row(0), conditions.stride(), kRows},
                        {others.row(0), others.stride(), count}, columns, {table.data(), stride});
          for (int64_t i = 0; i < kRows; ++i) {
            for (int64_t j = 0; j < stride; ++j) {
              const float got = table[static_cast<size_t>(i * stride + j)];
              if (j >= count) {
                REQUIRE(got == -1);  // nobody writes there
                continue;
              }
              const float* const x =
                  replaced == Replaced::kGeneral ? conditions.row(i) : others.row(j);
              const float* const y =
                  replaced == Replaced::kGeneral ? others.row(j) : conditions.row(i);
              REQUIRE(got == doctest::Approx(order_penalty(x, y, conditions.stride())));
            }
          }
        }
      }
    }
  });
}

}  // namespace acevec
