// Tests of word/skip_gram.

#include "tasks/word/skip_gram.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("a short text has epochs enough to train on so many tokens, within bounds") {
  CHECK(default_epochs(1, 24e6, 4, 20) == 20);
  CHECK(default_epochs(1'500'000, 24e6, 4, 20) == 16);
  CHECK(default_epochs(1'800'000, 24e6, 4, 20) == 13);
  CHECK(default_epochs(5'000'000, 24e6, 4, 20) == 5);
  CHECK(default_epochs(10'000'000, 24e6, 4, 20) == 4);
  CHECK(default_epochs(1'000'000'000'000, 24e6, 4, 20) == 4);
  for (int64_t tokens = 100'000; tokens < 20'000'000; tokens += 50'000) {
    CHECK(default_epochs(tokens, 24e6, 4, 20) >= default_epochs(tokens + 50'000, 24e6, 4, 20));
  }
}

TEST_CASE("a run of few tokens has a higher rate, one of many epochs a lower one") {
  CHECK(default_rate(34'000'000, 4, kPaceFromRandom) == 0.05);
  CHECK(default_rate(20'000'000, 1, kPaceFromRandom) == doctest::Approx(0.095).epsilon(0.01));
  CHECK(default_rate(34'000'000, 1, kPaceFromRandom) == doctest::Approx(0.073).epsilon(0.01));
  CHECK(default_rate(34'000'000, 2, kPaceFromRandom) == doctest::Approx(0.051).epsilon(0.01));
  CHECK(default_rate(1'000'000'000'000, 1, kPaceFromRandom) == 0.05);
  CHECK(default_rate(34'000'000, 10, kPaceFromRandom) == doctest::Approx(0.02));
  CHECK(default_rate(5'000'000, 3, kPaceFromRandom) == doctest::Approx(0.08));
  CHECK(default_rate(5'000'000, 1, kPaceFromRandom) == 0.1);
  CHECK(default_rate(2'000'000, 12, kPaceFromRandom) == doctest::Approx(0.05));
  CHECK(default_rate(2'000'000, 24, kPaceFromRandom) == doctest::Approx(0.025));
  CHECK(default_rate(200'000, 20, kPaceFromRandom) == doctest::Approx(0.05));
  CHECK(default_rate(200'000, 50, kPaceFromRandom) == doctest::Approx(0.02));
  CHECK(default_rate(34'000'000, 5, kPaceWithSubwords) == 0.025);
  CHECK(default_rate(5'000'000, 5, kPaceWithSubwords) == 0.05);
  CHECK(default_rate(5'000'000, 10, kPaceWithSubwords) == 0.025);
  CHECK(default_rate(2'000'000, 3, kPaceWithSubwords) == 0.05);
  CHECK(default_rate(200'000, 50, kPaceWithSubwords) == 0.025);
  CHECK(default_rate(200'000, 100, kPaceWithSubwords) == doctest::Approx(0.0125));
}

TEST_CASE("from counts a run learns less, and the shorter it is the more of it at once") {
  CHECK(default_rate(2'000'000, 1, kPaceFromCounts) == 0.1);
  CHECK(default_rate(2'000'000, 6, kPaceFromCounts) == doctest::Approx(0.05));
  CHECK(default_rate(2'000'000, 20, kPaceFromCounts) == doctest::Approx(0.015));
  CHECK(default_rate(200'000, 8, kPaceFromCounts) == doctest::Approx(0.05));
  CHECK(default_rate(34'000'000, 4, kPaceFromCounts) == doctest::Approx(0.0375));
}

}  // namespace acevec
