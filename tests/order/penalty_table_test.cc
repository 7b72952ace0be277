// Tables of penalties, for every instruction set that this machine has, against one pair at a time.

#include "order/penalty_table.h"

#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"
#include "math/matrix.h"
#include "order/penalty.h"

namespace acevec {
namespace {

Matrix random_rows(int64_t rows, int64_t columns, Random& random) {
  Matrix matrix(rows, columns);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < columns; ++k) matrix.row(i)[k] = random.uniform();
  }
  return matrix;
}

}  // namespace

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
          penalty_table(replaced, conditions.row(0), kRows, others.row(0), count, columns,
                        conditions.stride(), table.data(), stride);
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
