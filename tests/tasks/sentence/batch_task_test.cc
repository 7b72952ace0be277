// How a text is divided into held-out items and steps.

#include "tasks/sentence/task.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace acevec {
namespace {

// Notes the items that it is given.
class NotingTask : public BatchTask {
 public:
  using BatchTask::BatchTask;
  using BatchTask::heldout;
  std::vector<std::vector<int64_t>> batches;

  std::optional<Evaluation> evaluate() override { return std::nullopt; }

 private:
  Sums learn_items(std::span<const int64_t> items, int64_t /*number*/, float /*rate*/,
                   Random& /*random*/) override {
    batches.emplace_back(items.begin(), items.end());
    return {};
  }
};

SentenceModel one_word() {
  return {Vocabulary({{"a", 1}}, 1, 0), {TokenMode::kSpace, 4, true}};
}

}  // namespace

TEST_CASE("an epoch has each item that is not held out once, in equal steps or full ones") {
  for (const bool equal : {true, false}) {
    CAPTURE(equal);
    SentenceModel model = one_word();
    SentenceSettings settings;
    settings.heldout = 0.3;
    NotingTask task(settings, model, {101, 10, equal, [](int64_t item) { return item; }});
    CHECK(task.units() + std::ssize(task.heldout()) == 101);
    CHECK(task.heldout().size() > 10);
    Clock clock(2 * task.units(), {0.1, 0});
    const auto worker = task.make_worker(0, 0);
    std::vector<int64_t> first;
    for (int64_t epoch = 0; epoch < 2; ++epoch) {
      task.batches.clear();
      task.begin_epoch(epoch);
      Random random(1, epoch_stream(epoch), 0);
      for (int64_t i = 0; i < task.pieces(); ++i) worker->learn({epoch, i, i}, random, clock);
      std::vector<int64_t> all;
      for (const auto& batch : task.batches) {
        CHECK(batch.size() <= 10);
        if (equal) CHECK(batch.size() >= 8);
        if (!equal && &batch != &task.batches.back()) CHECK(batch.size() == 10);
        all.insert(all.end(), batch.begin(), batch.end());
      }
      CHECK(all != first);
      first = all;
      all.insert(all.end(), task.heldout().begin(), task.heldout().end());
      std::sort(all.begin(), all.end());
      std::vector<int64_t> wanted(101);
      std::iota(wanted.begin(), wanted.end(), 0);
      CHECK(all == wanted);
    }
    CHECK(clock.done() == clock.total());
  }
}

TEST_CASE("items of a group are held out together") {
  SentenceModel model = one_word();
  SentenceSettings settings;
  settings.heldout = 0.5;
  const NotingTask task(settings, model, {120, 10, false, [](int64_t item) { return item / 6; }});
  const std::vector<int64_t>& heldout = task.heldout();
  REQUIRE(!heldout.empty());
  CHECK(heldout.size() < 120);
  CHECK(heldout.size() % 6 == 0);
  for (size_t i = 0; i < heldout.size(); ++i) CHECK(heldout[i] / 6 == heldout[i / 6 * 6] / 6);
}

}  // namespace acevec
