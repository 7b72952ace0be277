// The pieces of a task on its threads, and what a runner that is loaded may do.

#include "train/task_runner.h"

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "temporary_folder.h"
#include "train/toy_task.h"

namespace acevec::task_runner_test {
namespace {

constexpr int64_t kEpochs = 3;

TaskRunner::Plan plan_of(int threads, int64_t epochs = kEpochs) {
  return {threads, 7, epochs, {0.1, 0.001}};
}

// Trains until so many pieces are done.
void run_pieces(TaskRunner& runner, int pieces) {
  runner.run(
      [&](const RunState&, const Sums&) { return TaskRunner::Request{.pause = --pieces == 0}; },
      [] {});
}

void save_to(const std::string& path, const TaskRunner& runner) {
  CheckpointWriter file(path);
  runner.save(file);
  file.commit();
}

void load_from(const std::string& path, TaskRunner& runner) {
  CheckpointReader file(path);
  runner.load(describe_toy().means.size(), file);
}

}  // namespace

TEST_CASE("every piece is trained once in an epoch, and the rate falls to its end") {
  for (const int threads : {1, 3}) {
    CAPTURE(threads);
    ToyTask task(1);
    TaskRunner runner(task, plan_of(threads));
    std::vector<RunState> states;
    runner.run(
        [&](const RunState& state, const Sums&) {
          states.push_back(state);
          return TaskRunner::Request{};
        },
        [] {});
    CHECK(runner.done());
    REQUIRE(states.size() == kEpochs * ToyTask::kRows);
    CHECK(states.back().done == states.back().total);
    CHECK(states.back().epoch == kEpochs);
    CHECK(states.back().rate == 0.001);
    CHECK(runner.epoch_sums().loss.count == ToyTask::kRows * ToyTask::kRows);
  }
}

TEST_CASE("a runner that is prepared has its workers, and makes none for the first epoch") {
  struct Counted : ToyTask {
    using ToyTask::ToyTask;
    std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override {
      ++made;
      return ToyTask::make_worker(thread, epoch);
    }
    std::atomic<int> made{0};
  };
  Counted task(1);
  TaskRunner runner(task, plan_of(3, 1));
  runner.prepare();
  CHECK(task.made == 3);
  run_pieces(runner, 1000);
  CHECK(runner.done());
  runner.prepare();
  CHECK(task.made == 3);
}

TEST_CASE("a piece that asks for it is followed by one call to save, or to synchronize") {
  for (const int threads : {1, 2}) {
    ToyTask task(1);
    TaskRunner runner(task, plan_of(threads));
    int pieces = 0;
    std::atomic<int> saved{0}, met{0};
    runner.run(
        [&](const RunState&, const Sums&) {
          ++pieces;
          return TaskRunner::Request{.save = pieces % 3 == 0, .synchronize = pieces % 4 == 0};
        },
        [&] { ++saved; },
        [&] {
          ++met;
          return false;
        });
    CHECK(saved == pieces / 3);
    CHECK(met == pieces / 4);
  }
}

TEST_CASE("a step that is given up is the next of the run, and changes nothing") {
  struct Steps : ToyTask {
    using ToyTask::ToyTask;
    Parallel parallel() const override { return Parallel::kStep; }
  };
  const auto numbers = [](Steps& task) {
    std::vector<float> all;
    for (const Parameter& parameter : task.parameters()) {
      all.insert(all.end(), parameter.matrix->row(0), parameter.matrix->row(ToyTask::kRows));
    }
    return all;
  };
  Steps whole(1), task(1);
  const auto go_on = [](const RunState&, const Sums&) { return TaskRunner::Request{}; };
  TaskRunner(whole, plan_of(1)).run(go_on, [] {});
  TaskRunner runner(task, plan_of(1));
  int piece = 0;
  task.at_piece = [&] {
    if (++piece == 50) std::raise(SIGTERM);
    interrupt_if_stopped();
  };
  {
    const StopSignal stop;
    runner.run(go_on, [] {});
    CHECK(runner.state().done == 49 * ToyTask::kRows);
    CHECK_FALSE(runner.done());
    CHECK_NOTHROW(interrupt_if_stopped());  // between steps
  }
  runner.run(go_on, [] {});
  CHECK(runner.done());
  CHECK(piece == kEpochs * ToyTask::kRows + 1);
  CHECK(numbers(task) == numbers(whole));
}

TEST_CASE("an exception of one thread ends the run, and is thrown again") {
  ToyTask task(1);
  std::atomic<int> pieces{0};
  task.at_piece = [&] {
    if (++pieces == 10) throw Diverged("enough");
  };
  TaskRunner runner(task, plan_of(3));
  CHECK_THROWS_WITH_AS(run_pieces(runner, 1000), "enough", Diverged);
}

TEST_CASE("a run that has ended may have more epochs, one that has not may not") {
  const TemporaryFolder folder;
  ToyTask task(1);
  TaskRunner runner(task, plan_of(1));
  run_pieces(runner, 50);
  save_to(folder.path("early"), runner);
  run_pieces(runner, 1000);
  save_to(folder.path("ended"), runner);
  TaskRunner more(task, plan_of(1, kEpochs + 1));
  load_from(folder.path("ended"), more);
  CHECK_FALSE(more.done());
  CHECK(more.state().epoch == kEpochs + 1);
  TaskRunner too_early(task, plan_of(1, kEpochs + 1));
  CHECK_THROWS_WITH_AS(load_from(folder.path("early"), too_early),
                       doctest::Contains("has not ended; resume it without -iter"), Error);
  TaskRunner fewer(task, plan_of(1, kEpochs - 1));
  CHECK_THROWS_WITH_AS(load_from(folder.path("ended"), fewer),
                       doctest::Contains("-iter can only be larger"), Error);
}

}  // namespace acevec::task_runner_test
