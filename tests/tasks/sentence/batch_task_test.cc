// Tests of sentence/batch_task.

#include "tasks/sentence/batch_task.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tasks/sentence/toy_pairs.h"

namespace acevec {
namespace {

// Notes what it is given.
class NotingTask : public BatchTask {
 public:
  using BatchTask::BatchTask;
  using BatchTask::heldout;
  std::vector<Parameter> parameters() override { return {}; }
  std::vector<std::vector<int64_t>> batches;

 private:
  Sums learn(std::span<const int64_t> lines, int64_t /*number*/, float /*rate*/,
             Random& /*random*/) override {
    batches.emplace_back(lines.begin(), lines.end());
    return {};
  }
};

}  // namespace

TEST_CASE("an epoch has each line that is not held out once, in batches of nearly equal size") {
  std::string lines;
  for (int i = 0; i < 101; ++i) lines += "a\t" + std::to_string(i) + "b\n";
  lines[0] = 'b';  // not all first sides are equal
  const PairFile file("batch-task", lines);
  const PairText text({file.path}, TokenMode::kSpace);
  SentenceModel model(Vocabulary({{"a", 1}}, 1, 0), {TokenMode::kSpace, 4, true});
  PairSettings settings;
  settings.batch = 10;
  settings.heldout = 0.3;
  NotingTask task(text, settings, model);
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
      CHECK(batch.size() >= 8);
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

TEST_CASE("the longest batch has the longest texts, and no labels") {
  const PairFile pairs("longest", "a\tb c d\ne\tf\ng h\ti j\n");
  const BatchLimits two = longest_batch(PairText({pairs.path}, TokenMode::kSpace), 2);
  CHECK(two.sentences == 2);
  CHECK(two.rows == 8);
  const PairFile lines("longest", "__label__a b c\n__label__d __label__e f\n");
  const BatchLimits all = longest_batch(PairText::labelled({lines.path}, TokenMode::kSpace), 100);
  CHECK(all.sentences == 2);
  CHECK(all.rows == 3);
}

}  // namespace acevec
