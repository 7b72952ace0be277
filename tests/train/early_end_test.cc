// Which runs are told that they get nowhere.
// The best evaluation of a run.

#include "train/early_end.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "train/toy_task.h"

namespace acevec {
namespace {

constexpr int64_t kWindow = 1000;

// The window in which the run is stopped; −1: none. Each loss is of a window of two pieces.
int stopped_after(double start, const std::vector<double>& losses) {
  DivergenceDetector divergence;
  divergence.start(start, kWindow);
  RunState state;
  state.total = 50 * kWindow;
  for (size_t i = 0; i < losses.size(); ++i) {
    for (const int half : {0, 1}) {
      state.done += kWindow / 2;
      // The two pieces differ, and their mean counts.
      if (divergence.has_diverged(state, {30 * (losses[i] + half - 0.5), 30})) {
        return half == 1 ? static_cast<int>(i) : -2;
      }
    }
  }
  return -1;
}

}  // namespace

TEST_CASE("a run stops when five windows in a row are above its start") {
  CHECK(stopped_after(4, {4.5, 4.6, 4.7, 4.8, 4.9, 5}) == 4);
  CHECK(stopped_after(4, {3, 4.5, 4.5, 4.5, 4.5, 4.5, 4.5}) == 5);
  CHECK(stopped_after(4, {4.5, 4.5, 4.5, 4.5, 4.3, 4.5, 4.5, 4.5, 4.5}) == -1);
  CHECK(stopped_after(4, {4.3, 4.3, 4.3, 4.3, 4.3, 4.3, 4.3}) == -1);  // within the margin
  CHECK(stopped_after(4, {3.5, 3, 2.5, 2.4, 2.6, 3.0, 3.5, 3.9}) == -1);
}

TEST_CASE("without a start the first piece is what a run is held to") {
  CHECK(stopped_after(-1, {4.5, 4.6, 4.7, 4.8, 4.9, 5, 5.1}) == 4);  // held to 4
  CHECK(stopped_after(-1, {4.5, 4.3, 4.2, 4.1, 4.0, 3.9, 3.8}) == -1);
}

TEST_CASE("a window is a part of an epoch at least") {
  ToyTask task(1);
  TaskDescription description = describe_toy();
  description.least_window = 100;
  for (const double part : {0.0, 0.5}) {
    CAPTURE(part);
    description.least_epochs = part;
    DivergenceDetector divergence;
    divergence.start(task, description);
    RunState state;
    state.total = 2 * task.units();
    const int64_t window = part == 0 ? 100 : task.units() / 2;
    bool stopped = divergence.has_diverged(state, {1, 1});  // what the run is held to
    for (; !stopped && state.done < state.total; stopped = divergence.has_diverged(state, {9, 1})) {
      state.done += 50;
    }
    CHECK(stopped == (5 * window <= state.total));
    CHECK(state.done == std::min(5 * window, state.total));
  }
}

TEST_CASE("a run is in doubt as long as its last window was above its start") {
  DivergenceDetector divergence;
  divergence.start(4, kWindow);
  RunState state;
  const auto window = [&](double loss) {
    state.done += kWindow;
    divergence.has_diverged(state, {loss, 1});
    return divergence.is_suspect();
  };
  CHECK(!divergence.is_suspect());
  CHECK(!window(3));
  CHECK(window(5));
  CHECK(window(6));
  CHECK(divergence.last() == 6);
  CHECK(!window(3.5));
}

TEST_CASE(
    "patience counts the scores since there was a better one, and the last of equals is kept") {
  for (const bool higher : {false, true}) {
    CAPTURE(higher);
    const double sign = higher ? -1 : 1;
    Patience patience(higher);
    CHECK(!patience.has_score());
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
