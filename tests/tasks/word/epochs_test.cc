// Tests of word/epochs.

#include "tasks/word/epochs.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("a text of less than 10 M tokens has epochs enough for 50 M, but 50 at most") {
  CHECK(default_epochs(1) == 50);
  CHECK(default_epochs(700'000) == 50);
  CHECK(default_epochs(1'000'000) == 50);
  CHECK(default_epochs(2'000'000) == 25);
  CHECK(default_epochs(5'000'000) == 10);
  CHECK(default_epochs(10'000'000) == 5);
  CHECK(default_epochs(33'800'692) == 5);
  CHECK(default_epochs(1'000'000'000'000) == 5);
  for (int64_t tokens = 100'000; tokens < 20'000'000; tokens += 50'000) {
    CHECK(default_epochs(tokens) >= default_epochs(tokens + 50'000));
  }
}

}  // namespace acevec
