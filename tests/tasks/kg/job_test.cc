// The job of knowledge graphs as a library: its files without a command line.

#include "tasks/kg/job.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"
#include "tasks/kg/model.h"
#include "temporary_folder.h"
#include "whole_job.h"

namespace acevec::kg_job_test {
namespace {

void train(const KgJobSettings& settings, RunSettings run) {
  run.plan = {.epochs = 2, .rate = {0.1, 0.01}};
  run_job(*make_kg_job(settings, run, [](const Graph&, const KnownTriples&, Progress&) {}), run);
}

}  // namespace

TEST_CASE("a graph becomes a model and files of vectors, whose names have no blanks") {
  const TemporaryFolder folder;
  KgJobSettings settings;
  settings.train = folder.write("train", "new york\tis in\tusa\nrome\tis in\titaly\n");
  settings.shape = {ScoreKind::kDistMult, 4};
  settings.training.loss = KgLossKind::kSoftmax;
  settings.vectors = {folder.path("entities.txt"), folder.path("relations.txt")};
  RunSettings run;
  run.output = folder.path("model");
  train(settings, run);
  const KgFile file = read_kg(run.output);
  CHECK(file.entities.name(0) == "new york");
  CHECK(file.model.shape.score == ScoreKind::kDistMult);
  CHECK(file.known.size() == 2);
  CHECK(folder.read("entities.txt").starts_with("4 4\nnew_york "));
  const std::string relations = folder.read("relations.txt");
  CHECK(relations.starts_with("2 4\nis_in "));
  CHECK(relations.find("\nis_in_reverse ") != std::string::npos);
}

TEST_CASE("triples that are held out are not learned from") {
  const TemporaryFolder folder;
  KgJobSettings settings;
  settings.train = folder.write("train", "a,b,c\nb,b,c\na,b,b\nc,b,a\n");
  settings.format.delimiter = ',';
  settings.shape = {ScoreKind::kTransE, 4};
  settings.heldout = 0.25;
  RunSettings run;
  run.output = folder.path("model");
  train(settings, run);
  CHECK(read_kg(run.output).known.size() == 3);
  settings.heldout = 0.1;
  CHECK_THROWS_WITH_AS(train(settings, run), doctest::Contains("no triple can be held out"), Error);
}

TEST_CASE("a file of no triples for the test is refused, and nothing is written") {
  const TemporaryFolder folder;
  KgJobSettings settings;
  settings.train = folder.write("train", "a\tin\tb\n");
  settings.test = folder.write("test", "\n");
  RunSettings run;
  run.output = folder.path("model");
  CHECK_THROWS_WITH_AS(train(settings, run), doctest::Contains("has no triples"), Error);
  CHECK(folder.entries() == 2);
}

}  // namespace acevec::kg_job_test
