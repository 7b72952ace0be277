#include "train/team_size.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "base/random.h"

namespace acevec {
namespace {

using Cost = std::function<double(int threads)>;  // seconds of a step

// Takes steps for so many seconds. Returns the seconds that each number of threads had.
std::map<int, double> steps(TeamSize& size, double seconds, const Cost& cost) {
  std::map<int, double> taken;
  for (double done = 0; done < seconds;) {
    const int threads = size.threads();
    const double step = cost(threads);
    size.record(step);
    taken[threads] += step;
    done += step;
  }
  return taken;
}

// Work that is shared, and a wait for each thread.
Cost shared(double work, double wait) {
  return [=](int threads) { return work / threads + wait * (threads - 1); };
}

TEST_CASE("team size: a step has as many threads as make it short, most of the time") {
  for (const int most : {1, 2, 3, 16, 64}) {
    TeamSize size(most);
    CHECK(size.threads() == most);
    steps(size, 2, shared(1e-3, 0));
    CHECK(steps(size, 20, shared(1e-3, 0))[most] >= 19.5);  // sharing costs nothing
    steps(size, 50, shared(1e-5, 1e-5));
    CHECK(steps(size, 20, shared(1e-5, 1e-5))[1] >= 19.5);  // and now too much
    steps(size, 100, shared(1e-3, 0));
    CHECK(steps(size, 20, shared(1e-3, 0))[most] >= 19.5);
  }
}

TEST_CASE("team size: it finds a number between one and most") {
  TeamSize size(16);  // 4 threads take 1.7e-4 s, 2 and 8 take 2.2e-4 and 2.05e-4
  const Cost cost = [](int threads) { return 3.6e-4 / threads + 2e-5 * threads; };
  steps(size, 10, cost);
  CHECK(steps(size, 10, cost)[4] >= 9.5);
}

TEST_CASE("team size: chance changes nothing where all sizes are alike or sharing pays") {
  Random random(7);
  const auto noisy = [&](int threads) {
    return shared(4e-4, 0)(threads) * (0.8 + 0.4 * random.uniform());
  };
  TeamSize size(8);
  CHECK(steps(size, 30, noisy)[8] >= 29);
}

TEST_CASE("team size: long steps are not tried with fewer threads") {
  TeamSize size(4);
  CHECK(steps(size, 60, shared(0.4, 0)).size() == 1);
}

TEST_CASE("team size: every second step is another kind of step") {
  int number = 0;
  const auto uneven = [&](int threads) {
    return shared(number++ % 2 == 0 ? 4e-3 : 2e-2, 0)(threads);
  };
  TeamSize size(4);
  CHECK(steps(size, 30, uneven)[4] >= 28);
}

}  // namespace
}  // namespace acevec
