// Which runs are told that they get nowhere.

#include "word/loss_watch.h"

#include <doctest/doctest.h>

#include <vector>

#include "word/patience.h"

namespace acevec {
namespace {

// The window in which the run is stopped; −1: none. Each loss is of a window of two chunks.
int stopped_after(double start, const std::vector<double>& losses) {
  LossWatch watch;
  watch.start(start);
  TrainingState state;
  state.total = 50 * LossWatch::kLeastWindow;
  for (size_t i = 0; i < losses.size(); ++i) {
    for (const int half : {0, 1}) {
      state.tokens += LossWatch::kLeastWindow / 2;
      // The two chunks differ, and their mean counts.
      state.recent.loss = {30 * (losses[i] + half - 0.5), 0, 30};
      if (watch.is_worse_than_start(state)) return half == 1 ? static_cast<int>(i) : -2;
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

TEST_CASE("a run is in doubt as long as its last window was above its start") {
  LossWatch watch;
  watch.start(4);
  TrainingState state;
  const auto window = [&](double loss) {
    state.tokens += LossWatch::kLeastWindow;
    state.recent.loss = {loss, 0, 1};
    watch.is_worse_than_start(state);
    return watch.in_doubt();
  };
  CHECK(!watch.in_doubt());
  CHECK(!window(3));
  CHECK(window(5));
  CHECK(window(6));
  CHECK(watch.last() == 6);
  CHECK(!window(3.5));
}

TEST_CASE("patience counts the losses since the lowest") {
  Patience patience;
  CHECK(!patience.noted());
  CHECK(patience.is_lowest(3, 10));
  CHECK(patience.is_lowest(2, 20));
  CHECK(!patience.is_lowest(2, 30));
  CHECK(!patience.is_lowest(2.5, 40));
  CHECK(patience.since_lowest() == 2);
  CHECK(patience.lowest() == 2);
  CHECK(patience.lowest_tokens() == 20);
  CHECK(patience.last() == 2.5);
  CHECK(patience.is_lowest(1, 50));
  CHECK(patience.since_lowest() == 0);
}

}  // namespace acevec
