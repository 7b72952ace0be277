// The options of acevec kg beside what training has.

#include "commands/kg_arguments.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace acevec {

TEST_CASE("the scores to choose from are those of training, and each sets its own") {
  KgArguments arguments;
  RunArguments run;
  OptionTable table;
  declare_kg(arguments, run, table);
  OptionRow& row = *table.find("score");
  CHECK(std::ranges::count(row.argument, '|') + 1 == std::ssize(kScoreKinds));
  for (const ScoreKind kind : kScoreKinds) {
    row.set(name_of(kind));
    CHECK(arguments.shape.score == kind);
  }
}

}  // namespace acevec
