// The options of acevec kg beside what training has.

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
#include "commands/training_call.h"
#include "tasks/kg/score.h"

namespace acevec {
namespace {

std::string kg_value(const std::string& option, std::vector<std::string> typed) {
  typed.insert(typed.end(), {"-train", "t.tsv"});
  return TrainingCall(make_kg, std::move(typed)).value(option);
}

}  // namespace

TEST_CASE("the scores to choose from are those of training") {
  const auto command = make_kg();
  OptionRow& row = *command->table().find("score");
  CHECK(std::ranges::count(row.argument, '|') + 1 == 5);
  for (const ScoreKind kind : kScoreKinds) CHECK_NOTHROW(row.set(traits_of(kind).name));
}

TEST_CASE("longer vectors have a lower learning rate, and what was typed stays") {
  CHECK(kg_value("rate", {"-size", "256"}) == "0.4");
  CHECK(kg_value("rate", {}) == "0.25");
  CHECK(kg_value("rate", {"-score", "distmult", "-size", "2000"}) == "0.2");
  CHECK(kg_value("rate", {"-rate", "0.4"}) == "0.4");
  CHECK_THROWS_AS(kg_value("rate", {"-score", "transd", "-loss", "softmax"}), UsageError);
  CHECK_THROWS_AS(kg_value("rate", {"-loss", "ns"}), UsageError);
  CHECK(kg_value("rate", {"-score", "rotate", "-loss", "ns"}) == "0.01");
}

TEST_CASE("the score decides the loss, and the loss the rest") {
  const std::vector<std::string> transd{"-score", "transd"};
  CHECK(kg_value("loss", transd) == "margin");
  CHECK(kg_value("size", transd) == "50");
  CHECK(kg_value("batch", transd) == "1000");
  CHECK(kg_value("negative", transd) == "1");
  CHECK(kg_value("iter", transd) == "150");
  CHECK(kg_value("margin", transd) == "9");
  CHECK(kg_value("loss", {"-score", "transe"}) == "softmax");
  CHECK(kg_value("score", {"-score", "transe"}) == "transe");  // for the record
  CHECK(kg_value("rate", {"-score", "transe"}) == "0.3");
  CHECK(kg_value("negative", {"-score", "transe"}) == "1024");
  CHECK(kg_value("n3", {"-score", "rotate"}) == "-");
  CHECK_THROWS_AS(kg_value("n3", {"-score", "rotate", "-n3", "0.1"}), UsageError);
  CHECK_THROWS_AS(kg_value("n3", {"-distance-weight", "0.1"}), UsageError);
  CHECK_THROWS_AS(kg_value("n3", {"-score", "transe", "-relation-weight", "1"}), UsageError);
  CHECK(kg_value("margin", {"-score", "rotate", "-loss", "ns"}) == "9");
  CHECK(kg_value("margin", {}) == "-");
}

TEST_CASE("an adversary is the default of a softmax over drawn entities and of the preset") {
  CHECK(kg_value("ace", {}) == "1");
  CHECK(kg_value("ace", {"-score", "distmult"}) == "1");
  CHECK(kg_value("ace", {"-negative", "0"}) == "0");
  CHECK_THROWS_AS(kg_value("ace", {"-negative", "0", "-ace", "1"}), UsageError);
  CHECK(kg_value("ace", {"-score", "transd"}) == "0");
  CHECK(kg_value("ace", {"-score", "rotate", "-loss", "ns"}) == "0");
  CHECK(kg_value("ace", {"-preset", "paper"}) == "1");
  CHECK(kg_value("ace-candidates", {"-preset", "paper"}) == "256");
  CHECK(kg_value("ace-candidates", {"-preset", "paper", "-ace", "0"}) == "-");
}

}  // namespace acevec
