// The rows of a run's log: means since the row before, and nothing where there is nothing to say.

#include "word/run_log.h"

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

TrainingState state(int64_t tokens, double positive, double negative, int64_t pairs) {
  TrainingState state{tokens, 1000, 1, 0.5, {}};
  state.recent.loss = {positive, negative, pairs};
  return state;
}

}  // namespace

TEST_CASE("a row holds the means since the row before") {
  const TemporaryFolder folder;
  RunLog log(folder.path("log"), {.part = 0.1}, 5);
  log.start({0, 1000}, 0);
  log.add(state(50, 6, 10, 4), 1, "");
  CHECK(rows_of(folder.read("log")).size() == 1);  // the names
  log.add(state(120, 2, 30, 4), 2.25, "");
  log.add(state(230, 3, 20, 2), 3, "");
  log.add(state(240, 1, 10, 1), 4, "v-0001.bin");
  log.add(state(1000, 0, 0, 0), 5, "");
  log.finish(6, "v.bin");
  const std::vector<Row> rows = rows_of(folder.read("log"));
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == Row{"tokens", "seconds", "alpha", "positive_loss", "noise_loss",
                       "adversarial_loss", "entropy", "false_negatives", "adversary_time", "epoch",
                       "vectors", "heldout_loss"});
  CHECK(rows[1] == Row{"120", "2.250", "0.5", "1", "1", "", "", "", "", "1", "", ""});
  CHECK(rows[2] == Row{"230", "3.000", "0.5", "1.5", "2", "", "", "", "", "1", "", ""});
  CHECK(rows[3] == Row{"240", "4.000", "0.5", "1", "2", "", "", "", "", "1", "v-0001.bin", ""});
  CHECK(rows[4] == Row{"1000", "6.000", "0.5", "", "", "", "", "", "", "1", "v.bin", ""});
}

TEST_CASE("the adversary's columns are means over its rows and a share of the time") {
  const TemporaryFolder folder;
  RunLog log(folder.path("log"), {.tokens = 1000}, 5);
  log.start({0, 1000}, 0);
  TrainingState now = state(500, 1, 5, 1);
  now.recent.adversary.adversarial_loss = 2;
  now.recent.adversary.entropy = 8;
  now.recent.adversary.observed = 1;
  now.recent.adversary.rows = 4;
  now.recent.time = {1, 4};
  log.add(now, 1, "");
  now.tokens = 1000;
  now.epoch = 2;
  now.recent.time = {3, 4};
  log.add(now, 2, "");
  log.finish(3, "");
  const std::vector<Row> rows = rows_of(folder.read("log"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[1] == Row{"1000", "3.000", "0.5", "1", "1", "0.5", "2", "0.25", "0.5", "2", "", ""});
}

TEST_CASE("held-out losses have rows, and a run that goes on has one log") {
  const TemporaryFolder folder;
  RunLog::Memory memory;
  {
    RunLog log(folder.path("log"), {.part = 0.1}, 5);
    log.start({0, 1000}, 0);
    log.add(state(120, 2, 10, 1), 1, "", true);
    log.add_heldout(2, 4.5);
    log.add(state(150, 4, 20, 2), 3, "");
    memory = log.memory();
    log.add(state(210, 0, 0, 0), 4, "");  // after the checkpoint: lost
  }
  CHECK(rows_of(folder.read("log")).size() == 3);
  RunLog log(folder.path("log"), {.part = 0.1}, 5, true);
  log.start({150, 1000}, 3, memory);
  CHECK(rows_of(folder.read("log")).size() == 2);
  log.add(state(220, 2, 0, 1), 5, "");
  log.add(state(1000, 0, 0, 0), 6, "");
  log.finish(7, "v.bin", 4.25);
  const std::vector<Row> rows = rows_of(folder.read("log"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[1] == Row{"120", "2.000", "0.5", "2", "2", "", "", "", "", "1", "", "4.5"});
  CHECK(rows[2] == Row{"220", "5.000", "0.5", "2", "1.33333", "", "", "", "", "1", "", ""});
  CHECK(rows[3] == Row{"1000", "7.000", "0.5", "", "", "", "", "", "", "1", "v.bin", "4.25"});
}

}  // namespace acevec
