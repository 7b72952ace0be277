// The first signal is noted, the next does what it did before, and ignored ones stay ignored.

#include "base/stop_signal.h"

#include <doctest/doctest.h>

#include <csignal>

namespace acevec {
namespace {

int handled = 0;
void count(int) {
  ++handled;
}

}  // namespace

TEST_CASE("one signal is a request, the second is not held back") {
  const auto before = std::signal(SIGTERM, count);
  handled = 0;
  {
    const StopSignal stop;
    CHECK(stop_requested() == 0);
    std::raise(SIGTERM);
    CHECK(stop_requested() == SIGTERM);
    CHECK(handled == 0);
    std::raise(SIGTERM);
    CHECK(handled == 1);
  }
  std::raise(SIGTERM);
  CHECK(handled == 2);
  {
    const StopSignal again;
    CHECK(stop_requested() == 0);
  }
  std::signal(SIGTERM, before);
}

TEST_CASE("a signal that was ignored stays so") {
  const auto before = std::signal(SIGINT, SIG_IGN);
  {
    const StopSignal stop;
    std::raise(SIGINT);
    CHECK(stop_requested() == 0);
  }
  std::signal(SIGINT, before);
}

}  // namespace acevec
