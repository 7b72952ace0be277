// A run of a toy task: threads, checkpoints, resuming to the same bytes, log, patience, snapshots.

#include "train/run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "container.h"
#include "temporary_folder.h"
#include "train/toy_task.h"

namespace acevec {
namespace {

RunSettings toy_settings(int threads) {
  RunSettings settings;
  settings.plan = {threads, 3, 30, {0.1, 0.001}};
  settings.log_every = {.part = 0.1};
  settings.evaluate_every = Interval{.part = 0.05};
  settings.checkpoint_every = {.part = 0.1};
  settings.debug = 0;
  return settings;
}

const std::vector<Identity> kIdentities{{"the matrix has changed", "rank 2", 17}};

// A task with its run, which may come from a checkpoint.
struct Toy {
  RunSettings settings;
  std::vector<Identity> identities;
  TaskDescription description = describe_toy();
  std::optional<CheckpointReader> checkpoint;
  RunFiles files;
  Progress progress{true};
  ToyTask task{5};
  Run run;

  explicit Toy(const RunSettings& wanted, const std::string& resumed = "",
               const std::vector<Identity>& data = kIdentities,
               std::function<void()> on_evaluate = {}, Exchange* exchange = nullptr)
      : settings(wanted),
        identities(data),
        checkpoint(resumed.empty() ? std::nullopt
                                   : std::optional<CheckpointReader>(std::in_place, resumed)),
        files(settings, description, resumed),
        run({task, description, settings, identities, files, progress, exchange}) {
    task.on_evaluate = std::move(on_evaluate);
    if (!checkpoint) return;
    std::string skipped;
    checkpoint->get("command", skipped);
    CHECK(checkpoint->get<int64_t>("options") == 0);
  }

  void train() {
    run.start(checkpoint);
    run.train();
  }
  double error() { return task.evaluate()->score; }
  std::vector<float> result() {
    std::vector<float> all;
    for (const Parameter& parameter : task.parameters()) {
      const Matrix& matrix = *parameter.matrix;
      all.insert(all.end(), matrix.row(0), matrix.row(matrix.rows()));
    }
    return all;
  }
};

// An exchange with nobody: it counts what it is asked for.
struct PointsOnly : Exchange {
  static constexpr int kPoints = 25;
  int started = 0, finished = 0, completed = 0, evaluations = 0;
  double losses = 0;  // that the notes tell of
  RunNote note;

  int64_t total() const override { return 30 * ToyTask::kRows * ToyTask::kRows; }
  bool due(int64_t done) const override { return done * kPoints >= (started + 1) * total(); }
  void start(const RunNote& own) override {
    ++started;
    note = own;
    losses += own.sums.loss.count;
  }
  bool under_way() const override { return started > finished; }
  RunNote finish() override {
    ++finished;
    return note;
  }
  void complete() override { ++completed; }
  std::optional<Evaluation> mean(const std::optional<Evaluation>& own) override {
    ++evaluations;
    return own;
  }
  void write_checkpoint(const std::string& path, const Save& save) override {
    CheckpointWriter file(path, true);
    save(file);
    file.commit();
  }
  void save(CheckpointWriter&) const override {}
  void load(CheckpointReader&) override {}
};

size_t lines_of(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("a run will write to the best copies that it has not touched") {
  RunSettings settings = toy_settings(1);
  CHECK(Toy(settings).run.later_bytes() == 0);
  settings.keep_best = true;
  const Toy toy(settings);
  CHECK(toy.run.later_bytes() >= 2 * ToyTask::kRows * kRowPadding * kFloatSize);
}

TEST_CASE("a toy task is learned on one thread and on several") {
  for (const int threads : {1, 3}) {
    Toy toy(toy_settings(threads));
    CHECK(toy.error() > 100);
    toy.train();
    CHECK(toy.error() < 8);
    REQUIRE(toy.run.best());
    CHECK(toy.run.epoch_sums().loss.count == 1600);
  }
}

TEST_CASE("a run that is stopped and resumed, again and again, ends with the same bytes") {
  const TemporaryFolder folder;
  Toy whole(toy_settings(1));
  whole.train();
  RunSettings settings = toy_settings(1);
  settings.log = folder.path("log");
  settings.checkpoint = folder.path("ck");
  int stops = 0;
  for (bool done = false; !done;) {
    // The signal is raised at another evaluation each time.
    int evaluations = 0;
    const auto stop = [&] {
      if (++evaluations == 2 + stops % 3) raise(SIGTERM);
    };
    const std::string resumed = stops > 0 ? folder.path("ck") : "";
    Toy toy(settings, resumed, kIdentities, stop);
    try {
      toy.train();
      done = true;
      CHECK(toy.result() == whole.result());
      CHECK(toy.run.best()->score == whole.run.best()->score);
    } catch (const Interrupted& interrupted) {
      ++stops;
      CHECK(interrupted.signal == SIGTERM);
      CHECK(std::string(interrupted.what()).find("acevec -resume") != std::string::npos);
    }
    REQUIRE(stops < 100);
  }
  CHECK(stops > 3);
  // Names; ten tenths, of which five coincide with evaluations; nineteen evaluations and the end.
  CHECK(lines_of(folder.read("log")) >= 21);
}

TEST_CASE("a checkpoint of other data is refused") {
  const TemporaryFolder folder;
  RunSettings settings = toy_settings(1);
  settings.checkpoint = folder.path("ck");
  const auto stop = [] { raise(SIGTERM); };
  {
    Toy first(settings, "", kIdentities, stop);
    CHECK_THROWS_AS(first.train(), Interrupted);
  }
  {
    Toy other(settings, folder.path("ck"), {{"the matrix has changed", "rank 3", 18}});
    CHECK_THROWS_WITH_AS(other.train(),
                         doctest::Contains("the matrix has changed (rank 3; before: rank 2) since"),
                         Error);
  }
  CHECK_THROWS_WITH_AS(RunFiles(settings, describe_toy()), doctest::Contains("already exists"),
                       Error);
}

TEST_CASE("a checkpoint of numbers that are not possible is refused, whatever its checksum says") {
  const TemporaryFolder folder;
  RunSettings settings = toy_settings(1);
  settings.checkpoint = folder.path("ck");
  CHECK_THROWS_AS(Toy(settings, "", kIdentities, [] { raise(SIGTERM); }).train(), Interrupted);
  const std::string bytes = folder.read("ck");
  settings.checkpoint.clear();
  const auto refuse = [&](const std::string& forgery, const std::string& part) {
    CAPTURE(part);
    Toy toy(settings, folder.write("forged", forgery));
    CHECK_THROWS_WITH_AS(toy.train(), doctest::Contains(("its part \"" + part + '"').c_str()),
                         Error);
  };
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  for (const int64_t value : {kLeast, int64_t{-1}, kMost}) {
    CAPTURE(value);
    for (const char* const part : {"epochs", "epoch", "piece", "units done"}) {
      refuse(forged(bytes, part, 0, value), part);
    }
    // Snapshots, scores since the best, where the window begins, windows that were above.
    for (const size_t place : {1, 7, 10, 14}) refuse(forged(bytes, "run", place, value), "run");
  }
  refuse(forged(bytes, "epochs", 0, int64_t{0}), "epoch");
  for (const double value : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    refuse(forged(bytes, "run", 0, value), "run");
  }
  for (const size_t size : {8, 32}) {
    const auto resize = [&](std::string& part) { part.resize(size); };
    refuse(forged(bytes, "means", resize), "means");
    if (size == 32) refuse(forged(bytes, "evaluation", resize), "evaluation");
  }
  refuse(forged(bytes, "means", [](std::string& part) { part.clear(); }), "means");
}

TEST_CASE("patience ends a run that stops improving, and the best is kept") {
  RunSettings settings = toy_settings(1);
  settings.plan.epochs = 400;
  settings.plan.rate = {0.3, 0.3};
  settings.keep_best = true;
  settings.patience = 3;
  int evaluations = 0;
  Toy toy(settings, "", kIdentities, [&] { ++evaluations; });
  toy.train();
  CHECK(evaluations < 20);  // there would be one for each twentieth of the run
  CHECK(toy.error() == toy.run.best()->score);
}

TEST_CASE("divergence ends a run with advice, and no NaN is kept") {
  RunSettings settings = toy_settings(1);
  settings.plan.rate = {1e6, 1e6};
  Toy toy(settings);
  CHECK_THROWS_WITH_AS(toy.train(), doctest::Contains("lower -rate"), Diverged);
  Toy spoilt(toy_settings(1));
  spoilt.task.parameters()[0].matrix->row(0)[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(spoilt.train(), doctest::Contains("training diverged"), Diverged);
}

TEST_CASE("what is not finite is not evaluated") {
  RunSettings settings = toy_settings(1);
  settings.plan.epochs = 1;
  bool spoilt = false, evaluated = false;
  int pieces = 0;
  Toy toy(settings, "", kIdentities, [&] { evaluated = evaluated || spoilt; });
  toy.task.at_piece = [&] {
    if (++pieces < ToyTask::kRows) return;
    toy.task.parameters()[0].matrix->row(0)[0] = std::numeric_limits<float>::quiet_NaN();
    spoilt = true;
  };
  CHECK_THROWS_WITH_AS(toy.train(), doctest::Contains("training diverged"), Diverged);
  CHECK_FALSE(evaluated);
}

TEST_CASE("a run meets others at each point, and snapshots are written as the run goes") {
  const TemporaryFolder folder;
  RunSettings settings = toy_settings(2);
  settings.output = folder.path("v");
  settings.save_every = Interval{.part = 0.3};
  settings.checkpoint = folder.path("ck");
  PointsOnly exchange;
  Toy toy(settings, "", kIdentities, {}, &exchange);
  toy.train();
  CHECK(exchange.started == PointsOnly::kPoints);
  CHECK(exchange.finished == PointsOnly::kPoints);
  CHECK(exchange.completed == 1);
  CHECK(exchange.evaluations >= 18);
  CHECK(exchange.losses == doctest::Approx(30 * 1600));
  CHECK(std::filesystem::exists(folder.path("v-0003")));
  CHECK(toy.files.snapshots->number() == 3);
}

}  // namespace acevec
