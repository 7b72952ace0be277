// The best evaluation of a run.

#include "train/patience.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace acevec {

TEST_CASE(
    "patience counts the scores since there was a better one, and the last of equals is kept") {
  for (const bool higher : {false, true}) {
    CAPTURE(higher);
    const double sign = higher ? -1 : 1;
    Patience patience(higher);
    CHECK(!patience.noted());
    CHECK(patience.is_best(sign * 3, 10));
    CHECK(patience.is_best(sign * 2, 20));
    CHECK(patience.is_best(sign * 2, 30));
    CHECK(!patience.is_best(sign * 2.5, 40));
    CHECK(patience.since_best() == 2);
    CHECK(patience.best() == sign * 2);
    CHECK(patience.best_done() == 30);
    CHECK(patience.last() == sign * 2.5);
    CHECK(patience.is_best(sign * 1, 50));
    CHECK(patience.since_best() == 0);
  }
}

}  // namespace acevec
