// The rows of a run's log: means since the row before, and nothing where there is nothing to say.

#include "train/run_log.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace acevec {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> rows_of(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back(1);
    for (const char c : line) {
      if (c == '\t') {
        rows.back().emplace_back();
      } else {
        rows.back().back() += c;
      }
    }
  }
  return rows;
}

TaskDescription described() {
  TaskDescription description;
  description.unit = "tokens";
  description.rate = "alpha";
  description.means = {"positive_loss", "", "entropy"};
  description.evaluation = {"heldout_loss", "hits"};
  return description;
}

RunState at(int64_t done, int64_t epoch = 1) {
  return {done, 1000, epoch, 0.5};
}

Sums sums(const Mean& positive, const Mean& entropy = {}) {
  return {{}, {positive, {7, 1}, entropy}};
}

}  // namespace

TEST_CASE("a row holds the means since the row before") {
  const TemporaryFolder folder;
  RunLog log(folder.path("log"), {.part = 0.1}, described());
  log.start({0, 1000}, 0);
  log.add(at(50), sums({6, 4}), 1, "");
  CHECK(rows_of(folder.read("log")).size() == 1);  // the names
  log.add(at(120), sums({2, 4}), 2.25, "");
  log.add(at(230), sums({3, 2}, {8, 4}), 3, "");
  log.add(at(240, 2), sums({1, 1}), 4, "v-0001.bin");
  log.add(at(1000, 2), sums({}), 5, "");
  log.finish(6, "v.bin");
  const std::vector<Row> rows = rows_of(folder.read("log"));
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == Row{"tokens", "seconds", "alpha", "positive_loss", "entropy", "epoch", "vectors",
                       "heldout_loss", "hits"});
  CHECK(rows[1] == Row{"120", "2.250", "0.5", "1", "", "1", "", "", ""});
  CHECK(rows[2] == Row{"230", "3.000", "0.5", "1.5", "2", "1", "", "", ""});
  CHECK(rows[3] == Row{"240", "4.000", "0.5", "1", "", "2", "v-0001.bin", "", ""});
  CHECK(rows[4] == Row{"1000", "6.000", "0.5", "", "", "2", "v.bin", "", ""});
}

TEST_CASE("evaluations have rows, and a run that is resumed has one log") {
  const TemporaryFolder folder;
  RunLog::Memory memory;
  {
    RunLog log(folder.path("log"), {.part = 0.1}, described());
    log.start({0, 1000}, 0);
    log.add(at(120), sums({2, 1}), 1, "", true);
    log.add_evaluation(2, {4.5, {4.5, 0.25}});
    log.add(at(150), sums({4, 2}), 3, "");
    memory = log.memory();
    log.add(at(210), sums({}), 4, "");  // after the checkpoint: lost
  }
  CHECK(rows_of(folder.read("log")).size() == 3);
  RunLog log(folder.path("log"), {.part = 0.1}, described(), true);
  log.start({150, 1000}, 3, memory);
  CHECK(rows_of(folder.read("log")).size() == 2);
  log.add(at(220), sums({2, 1}), 5, "");
  log.add(at(1000), sums({}), 6, "");
  log.finish(7, "v.bin", Evaluation{4.25, {4.25, 1}});
  const std::vector<Row> rows = rows_of(folder.read("log"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[1] == Row{"120", "2.000", "0.5", "2", "", "1", "", "4.5", "0.25"});
  CHECK(rows[2] == Row{"220", "5.000", "0.5", "2", "", "1", "", "", ""});
  CHECK(rows[3] == Row{"1000", "7.000", "0.5", "", "", "1", "v.bin", "4.25", "1"});
}

TEST_CASE("a run that is resumed at its end, after its last row, writes that row once") {
  const TemporaryFolder folder;
  RunLog::Memory memory;
  {
    RunLog log(folder.path("log"), {.part = 0.5}, described());
    log.start({0, 1000}, 0);
    log.add(at(600), sums({2, 1}), 1, "");
    log.add(at(1000), sums({4, 2}), 2, "");
    memory = log.memory();  // the checkpoint of the end comes before the last row
    log.finish(3, "v.bin");
  }
  const std::vector<Row> whole = rows_of(folder.read("log"));
  REQUIRE(whole.size() == 3);
  RunLog log(folder.path("log"), {.part = 0.5}, described(), true);
  log.start({1000, 1000}, 3, memory);
  log.finish(3, "v.bin");
  CHECK(rows_of(folder.read("log")) == whole);
}

TEST_CASE("a row of the state of a checkpoint stays when it was written before") {
  const TemporaryFolder folder;
  RunLog::Memory memory;
  {
    RunLog log(folder.path("log"), {.part = 0.5}, described());
    log.start({0, 1000}, 0);
    log.add(at(600), sums({2, 1}), 1, "");
    memory = log.memory();
  }
  RunLog log(folder.path("log"), {.part = 0.5}, described(), true);
  log.start({600, 1000}, 1, memory);
  CHECK(rows_of(folder.read("log")).size() == 2);
}

}  // namespace acevec
