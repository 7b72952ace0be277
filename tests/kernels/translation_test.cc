// The length of a translation and its slopes against plain loops, for every instruction set.

#include "kernels/translation.h"

#include <doctest/doctest.h>

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
      constexpr float kScale = 2;
      const Translation rows{{head.data(), relation.data(), tail.data()},
                             directed ? direction.data() : nullptr,
                             kMove};
      std::vector<float> by_head(kTranslated, 1.0F), by_relation = by_head, by_tail = by_head;
      std::vector<float> by_direction = by_head;
      const float by_move = add_translation_gradient(
          rows, kTranslated, kScale, {by_head.data(), by_relation.data(), by_tail.data()},
          directed ? by_direction.data() : nullptr);
      double length = 0;
      double along = 0;
      for (size_t k = 0; k < kTranslated; ++k) {
        const float u = head[k] + relation[k] - tail[k] + (directed ? kMove * direction[k] : 0);
        const float slope = u > 0 ? 1.0F : -1.0F;
        length += std::abs(double{u});
        along += double{slope * direction[k]};
        CHECK(by_head[k] == 1 + kScale * slope);
        CHECK(by_relation[k] == 1 + kScale * slope);
        CHECK(by_tail[k] == 1 - kScale * slope);
        CHECK(by_direction[k] == (directed ? 1 + kScale * kMove * slope : 1));
      }
      CHECK(translation_length(rows, kTranslated) == doctest::Approx(length).epsilon(1e-5));
      CHECK(by_move == doctest::Approx(directed ? along : 0).epsilon(1e-5));
    }
    const std::vector<float> zeros(kTranslated);
    std::vector<float> slopes(kTranslated);
    add_translation_gradient({{zeros.data(), zeros.data(), zeros.data()}, nullptr, 0}, kTranslated,
                             1, {slopes.data(), slopes.data(), slopes.data()}, nullptr);
    CHECK(slopes == zeros);  // where there is no slope, 0 is taken
  });
}

}  // namespace acevec
