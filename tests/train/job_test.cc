// The steps of a job: their order, what stops them, and what is left on the disk.

#include "train/job.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/error.h"
#include "temporary_folder.h"
#include "train/toy_task.h"
#include "whole_job.h"

namespace acevec {
namespace {

// Notes each step; the result is a file with one word.
struct ToyJob final : Job {
  explicit ToyJob(const RunSettings& settings) : run(settings) {}

  TaskDescription describe() const override { return describe_toy(); }
  void open(bool resumed) override {
    steps += resumed ? "open-resumed " : "open ";
    open_if(output, run.output);
  }
  bool read(Progress& /*progress*/) override {
    steps += "read ";
    return trains;
  }
  MemoryUse memory() const override { return {"a toy", "play with less"}; }
  Task& start(Progress& /*progress*/) override {
    steps += "start ";
    return task.emplace(1);
  }
  std::vector<Identity> identities() const override { return {{"the toy has changed", "", 7}}; }
  void report(const Run& /*done*/, Json& record, Progress&) override {
    steps += "report ";
    record.put("/test", 3);
  }
  std::string write(std::optional<OutputFile>& record) override {
    steps += "write";
    if (fails) throw Error("no room");
    if (output) output->write("toy");
    commit_together(record, output);
    return "a toy";
  }

  const RunSettings& run;
  std::string steps;
  bool trains = true, fails = false;
  std::optional<OutputFile> output;
  std::optional<ToyTask> task;
};

RunSettings settings_in(const TemporaryFolder& folder) {
  RunSettings settings;
  settings.plan.rate = {0.05, 0};
  settings.output = folder.path("out");
  settings.record = folder.path("record");
  return settings;
}

void run_recorded(ToyJob& job) {
  std::optional<CheckpointReader> none;
  run_job(job, job.run, none, [] {
    Json head;
    head.put("/settings", 1);
    return head;
  });
}

size_t files_in(const TemporaryFolder& folder) {
  const std::filesystem::directory_iterator all(folder.path(""));
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("a job takes its steps in order and leaves result and record together") {
  const TemporaryFolder folder;
  const RunSettings settings = settings_in(folder);
  ToyJob job(settings);
  run_recorded(job);
  CHECK(job.steps == "open read start report write");
  CHECK(folder.read("out") == "toy");
  const Json record = Json::read(folder.path("record"));
  CHECK(record.number_at("/settings") == 1);
  CHECK(*record.number_at("/training/loss") > 0);
  CHECK(record.number_at("/test") == 3);
}

TEST_CASE("without an output nothing is written, and the task has what was learned") {
  RunSettings settings;
  settings.plan.rate = {0.05, 0};
  settings.plan.epochs = 20;
  ToyJob job(settings);
  run_job(job, settings);
  CHECK(job.task->evaluate()->score < ToyTask(1).evaluate()->score);
}

TEST_CASE("a job that stops early leaves no file") {
  const TemporaryFolder folder;
  RunSettings settings = settings_in(folder);
  const auto stopped = [&](auto change) {
    ToyJob job(settings);
    change(job);
    try {
      run_recorded(job);
    } catch (const Error& error) {
      job.steps += std::string(": ") + error.what();
    }
    CHECK(!std::filesystem::exists(folder.path("out")));
    CHECK(!std::filesystem::exists(folder.path("record")));
    return job.steps;
  };
  CHECK(stopped([](ToyJob& job) { job.trains = false; }) == "open read ");
  CHECK(stopped([](ToyJob& job) { job.fails = true; }) == "open read start report write: no room");
  settings.max_memory = 1 << 20;
  const std::string steps = stopped([](ToyJob&) {});
  CHECK(steps.starts_with("open read : a toy needs "));
  CHECK(steps.find("play with less") != std::string::npos);
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a job goes on from a checkpoint of the same data only") {
  const TemporaryFolder folder;
  RunSettings settings = settings_in(folder);
  settings.checkpoint = folder.path("state");
  settings.checkpoint_every.part = 1;
  settings.command = "acevec toy";
  ToyJob first(settings);
  run_recorded(first);
  settings.plan.epochs = 2;
  std::optional<CheckpointReader> checkpoint(settings.checkpoint);
  load_arguments("acevec toy", *checkpoint);
  ToyJob second(settings);
  run_job(second, settings, checkpoint, [] { return Json(); });
  CHECK(second.steps == "open-resumed read start report write");
}

}  // namespace acevec
