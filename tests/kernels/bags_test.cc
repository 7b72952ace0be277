// Sums of bags, for every instruction set of this machine, against plain loops.

#include "kernels/bags.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"
#include "math/aligned.h"

namespace acevec::bags_test {
namespace {

constexpr int64_t kRows = 9;

AlignedFloats random_floats(int64_t size, Random& random) {
  AlignedFloats floats(size);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = 2 * random.uniform() - 1;
  return floats;
}

}  // namespace

TEST_CASE("bags are sums of rows") {
  for_each_instruction_set([] {
    Random random(3);
    for (const int64_t width : {16, 48, 112, 128, 208, 304, 1040}) {
      for (const int64_t count : {0, 1, 2, 8, 9, 30}) {
        const AlignedFloats values = random_floats(kRows * width, random);
        std::vector<int32_t> places;
        std::vector<float> weights;
        for (int64_t i = 0; i < count; ++i) {
          places.push_back(static_cast<int32_t>(i * 5 % kRows));
          weights.push_back(random.uniform() - 0.5F);
        }
        const BagRows rows{places.data(), count, width};
        AlignedFloats sum = random_floats(width, random);
        sum_bag(rows, values.data(), weights.data(), sum.data());
        double worst = 0;
        std::vector<double> plain(static_cast<size_t>(width));
        for (size_t i = 0; i < places.size(); ++i) {
          for (int64_t k = 0; k < width; ++k) {
            const double value = double{values.data()[places[i] * width + k]};
            plain[static_cast<size_t>(k)] += double{weights[i]} * value;
          }
        }
        for (int64_t k = 0; k < width; ++k) {
          worst = std::max(worst, std::abs(plain[static_cast<size_t>(k)] - double{sum.data()[k]}));
        }
        CAPTURE(width);
        CAPTURE(count);
        CHECK(worst < 1e-4);
      }
    }
  });
}

}  // namespace acevec::bags_test
