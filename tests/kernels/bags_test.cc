// Sums of bags and their gradients, for every instruction set of this machine, against plain loops.

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

TEST_CASE("bags are sums of rows, and their gradients go back to them") {
  for_each_instruction_set([] {
    Random random(3);
    for (const int64_t width : {16, 48, 112, 128, 208, 304, 1040}) {
      for (const int64_t count : {0, 1, 2, 8, 9, 30}) {
        const AlignedFloats values = random_floats(kRows * width, random);
        const AlignedFloats gradient = random_floats(width, random);
        AlignedFloats changes = random_floats(kRows * width, random);
        std::vector<double> wanted(changes.data(), changes.data() + kRows * width);
        std::vector<int64_t> places;
        std::vector<float> weights, scores(static_cast<size_t>(count));
        for (int64_t i = 0; i < count; ++i) {
          places.push_back(i * 5 % kRows * width);
          weights.push_back(random.uniform() - 0.5F);
        }
        const BagRows rows{places.data(), count, width};
        AlignedFloats sum = random_floats(width, random);
        sum_bag(rows, values.data(), weights.data(), sum.data());
        spread_bag(rows, values.data(), weights.data(), gradient.data(), scores.data(),
                   changes.data());
        double worst = 0;
        std::vector<double> plain(static_cast<size_t>(width));
        for (size_t i = 0; i < places.size(); ++i) {
          double score = 0;
          for (int64_t k = 0; k < width; ++k) {
            const double value = double{values.data()[places[i] + k]};
            plain[static_cast<size_t>(k)] += double{weights[i]} * value;
            score += value * double{gradient.data()[k]};
            wanted[static_cast<size_t>(places[i] + k)] +=
                double{weights[i]} * double{gradient.data()[k]};
          }
          worst = std::max(worst, std::abs(score - double{scores[i]}));
        }
        for (int64_t k = 0; k < width; ++k) {
          worst = std::max(worst, std::abs(plain[static_cast<size_t>(k)] - double{sum.data()[k]}));
        }
        for (int64_t k = 0; k < kRows * width; ++k) {
          worst =
              std::max(worst, std::abs(wanted[static_cast<size_t>(k)] - double{changes.data()[k]}));
        }
        CAPTURE(width);
        CAPTURE(count);
        CHECK(worst < 1e-4);
      }
    }
  });
}

}  // namespace acevec::bags_test
