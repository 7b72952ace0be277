// Ids are numbered as they come.

#include "optim/places.h"

#include <map>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec {

TEST_CASE("an id has one place, the next that is free, until all are forgotten") {
  constexpr int64_t kMost = 100;
  Places places(kMost);
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    std::map<int32_t, int64_t> wanted;
    // Few, or as many as there is room for; near each other, or anywhere up to 2³¹.
    const uint32_t range = round % 2 == 0 ? 150 : 0x7fffffff;
    while (static_cast<int64_t>(wanted.size()) < (round % 3 == 0 ? 5 : kMost)) {
      const auto id = static_cast<int32_t>(random.below(range));
      const auto next = static_cast<int64_t>(wanted.size());
      const int64_t place = wanted.try_emplace(id, next).first->second;
      REQUIRE(places.place(id) == place);
      REQUIRE(places.count() == static_cast<int64_t>(wanted.size()));
    }
    for (const auto& [id, place] : wanted) {
      CHECK(places.place(id) == place);
      CHECK(places.ids()[place] == id);
    }
    places.clear();
    CHECK(places.count() == 0);
  }
}

}  // namespace acevec
