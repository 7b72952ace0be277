// The job of hierarchies as a library: what is learned from, and its files, without a command line.

#include "tasks/order/job.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"
#include "tasks/order/tree.h"
#include "temporary_folder.h"
#include "vectors/word_vectors.h"
#include "whole_job.h"

namespace acevec::order_job_test {
namespace {

// Pairs of a tree of 121 concepts: all of them, or those of parents alone.
std::string pairs_of(bool closed) {
  std::string text;
  for (const auto& [specific, general] : tree_pairs(3, 4)) {
    if (!closed && general != (specific - 1) / 3) continue;
    text += "kind " + std::to_string(specific) + "\tkind " + std::to_string(general) + "\n";
  }
  return text;
}

// Trains, and returns how often the job found pairs that it does not learn from.
int train(const OrderJobSettings& settings, const std::string& output) {
  RunSettings run;
  run.output = output;
  run.plan = {.epochs = 2, .rate = {0.01, 0}};
  int open = 0;
  const auto choose = [&](int64_t, bool is_open, Progress&) { open += is_open ? 1 : 0; };
  run_job(*make_order_job(settings, run, choose), run);
  return open;
}

}  // namespace

TEST_CASE("pairs become vectors, and are open only where what they imply is left out") {
  const TemporaryFolder folder;
  OrderJobSettings settings;
  settings.training.size = 5;
  settings.train = folder.write("parents", pairs_of(false));
  CHECK(train(settings, folder.path("a.txt")) == 0);
  const WordVectors vectors = read_vectors(folder.path("a.txt"));
  CHECK(vectors.words.size() == 121);
  CHECK(vectors.words[0] == "kind_0");  // in the most pairs
  CHECK(vectors.vectors.columns() == 5);
  settings.closure = Closure::kGiven;
  CHECK(train(settings, folder.path("b.txt")) == 1);
  settings.train = folder.write("closed", pairs_of(true));
  CHECK(train(settings, folder.path("c.txt")) == 0);
}

TEST_CASE("pairs in a cycle are refused, and nothing is written") {
  const TemporaryFolder folder;
  OrderJobSettings settings;
  settings.train = folder.write("cycle", "a\tb\nb\tc\nc\ta\n");
  CHECK_THROWS_WITH_AS(train(settings, folder.path("v")), doctest::Contains("form a cycle"), Error);
  CHECK(folder.entries() == 1);
}

}  // namespace acevec::order_job_test
