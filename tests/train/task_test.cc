// Sums of what threads and processes saw.

#include "train/task.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("sums add up to those of all, whoever has means") {
  Sums all;
  CHECK(all.loss.value() == 0);  // of nothing
  all += {{3, 2}, {{1, 1}}};
  all += {{1, 2}, {{4, 1}, {5, 10}}};
  all += {};
  CHECK(all.loss.value() == 1);
  REQUIRE(all.means.size() == 2);
  CHECK(all.means[0].value() == 2.5);
  CHECK(all.means[1].value() == 0.5);
}

}  // namespace acevec
