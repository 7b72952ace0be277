// Which side is replaced, from relations of known shape.

#include "tasks/kg/corruption.h"

#include <vector>

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("Bernoulli corruption replaces the side that leaves fewer true") {
  // Relation 0: one head with three tails, tph = 3, hpt = 1. Relation 1: one to one. 2: unseen.
  const std::vector<Triple> train{{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {0, 1, 1}, {2, 1, 3}};
  const Corruption bernoulli(CorruptionKind::kBernoulli, train, 3);
  CHECK(bernoulli.head_share(0) == doctest::Approx(0.75));
  CHECK(bernoulli.head_share(1) == doctest::Approx(0.5));
  CHECK(bernoulli.head_share(2) == doctest::Approx(0.5));
  CHECK(Corruption(CorruptionKind::kUniform, train, 3).head_share(0) == 0.5F);
  Random random(1);
  int heads = 0;
  for (int i = 0; i < 20000; ++i) heads += bernoulli.draw(0, random) == Side::kHead ? 1 : 0;
  CHECK(heads == doctest::Approx(15000).epsilon(0.02));
}

}  // namespace acevec
