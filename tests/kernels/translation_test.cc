// The length of a translation and its slopes against plain loops, for every instruction set.

#include "kernels/translation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

constexpr size_t kTranslated = 48;

std::vector<float> random_vector(Random& random) {
  std::vector<float> row(kTranslated);
  for (float& x : row) x = random.uniform() - 0.5F;
  return row;
}

}  // namespace

TEST_CASE("a translation's length and slopes are those of |h + r - t + m p|") {
  for_each_instruction_set([] {
    for (const bool directed : {false, true}) {
      CAPTURE(directed);
      Random random(1);
      const std::vector<float> head = random_vector(random), relation = random_vector(random);
      const std::vector<float> tail = random_vector(random), direction = random_vector(random);
      constexpr float kMove = 0.75F;
      const Translation rows{{head.data(), relation.data(), tail.data()},
                             directed ? direction.data() : nullptr,
                             kMove};
      AlignedFloats slopes(kTranslated);
      double length = 0;
      const float found = translation_length(rows, kTranslated, slopes.data());
      for (size_t k = 0; k < kTranslated; ++k) {
        const float u = head[k] + relation[k] - tail[k] + (directed ? kMove * direction[k] : 0);
        length += std::abs(double{u});
        CHECK(slopes.data()[k] == (u > 0 ? 1.0F : -1.0F));
      }
      CHECK(found == doctest::Approx(length).epsilon(1e-5));
      CHECK(translation_length(rows, kTranslated, nullptr) == found);
    }
    const std::vector<float> zeros(kTranslated);
    AlignedFloats slopes(kTranslated);
    std::fill_n(slopes.data(), kTranslated, 1.0F);
    translation_length({{zeros.data(), zeros.data(), zeros.data()}, nullptr, 0}, kTranslated,
                       slopes.data());
    CHECK(std::equal(zeros.begin(), zeros.end(),
                     slopes.data()));  // where there is no slope, 0 is taken
  });
}

}  // namespace acevec
