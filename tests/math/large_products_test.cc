// Products in blocks against plain loops in double, at sizes on either side of a block's.

#include "math/large_products.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"

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
