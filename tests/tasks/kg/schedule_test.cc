// The epochs and the learning rate that a graph and its vectors' size have by default.

#include "tasks/kg/schedule.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("a small graph has more epochs, from 24 to 48") {
  CHECK(default_graph_epochs(10'000'000) == 24);
  CHECK(default_graph_epochs(125'000) == 24);
  CHECK(default_graph_epochs(100'000) == 30);
  CHECK(default_graph_epochs(62'500) == 48);
  CHECK(default_graph_epochs(1) == 48);
}

TEST_CASE("size times the rate's cube is the same for all sizes from 256 on") {
  const double usual = 256 * 0.4 * 0.4 * 0.4;
  for (const int64_t size : {300, 500, 1000, 2000, 4000}) {
    const double rate = default_graph_rate(size);
    CHECK(static_cast<double>(size) * rate * rate * rate == doctest::Approx(usual).epsilon(0.1));
  }
  CHECK(default_graph_rate(1000) == 0.25);
}

TEST_CASE("shorter vectors have the usual rate") {
  CHECK(default_graph_rate(2) == 0.4);
  CHECK(default_graph_rate(256) == 0.4);
}

TEST_CASE("where the score is a distance, the rate falls with the root of the size") {
  CHECK(default_distance_rate(50) == 0.071);
  CHECK(default_distance_rate(1000) == 0.016);
}

}  // namespace acevec
