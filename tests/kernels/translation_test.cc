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

TEST_CASE("a translation's length and signs are those of |h + r - t + m p|") {
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
      AlignedFloats signs(sign_floats(kTranslated));
      const float found = translation_length(rows, kTranslated, signs.data());
      AlignedFloats sum(kTranslated);
      add_signs(signs.data(), 0.5F, kTranslated, sum.data());
      add_signs(signs.data(), -2, kTranslated, sum.data());
      double length = 0, along = 0;
      for (size_t k = 0; k < kTranslated; ++k) {
        const float u = head[k] + relation[k] - tail[k] + (directed ? kMove * direction[k] : 0);
        const float sign = u > 0 ? 1.0F : -1.0F;
        length += std::abs(double{u});
        along += double{sign * direction[k]};
        CHECK(sum.data()[k] == -1.5F * sign);
      }
      CHECK(found == doctest::Approx(length).epsilon(1e-5));
      CHECK(translation_length(rows, kTranslated, nullptr) == found);
      CHECK(sign_product(signs.data(), direction.data(), kTranslated) ==
            doctest::Approx(along).epsilon(1e-5));
    }
    const std::vector<float> zeros(kTranslated);
    AlignedFloats signs(sign_floats(kTranslated)), sum(kTranslated);
    translation_length({{zeros.data(), zeros.data(), zeros.data()}, nullptr, 0}, kTranslated,
                       signs.data());
    add_signs(signs.data(), 1, kTranslated, sum.data());
    CHECK(
        std::equal(zeros.begin(), zeros.end(), sum.data()));  // where there is no slope, 0 is taken
  });
}

}  // namespace acevec
