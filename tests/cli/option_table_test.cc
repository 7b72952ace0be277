#include "cli/option_table.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace acevec::option_table_test {
namespace {

enum class Which { kOne, kTwo, kNeither };

int64_t length_of(const std::string& typed) {
  if (typed.empty()) throw Error("give letters");
  return static_cast<int64_t>(typed.size());
}

}  // namespace

TEST_CASE("a default is what the field holds, and the value what it holds now") {
  OptionTable table;
  double threshold = 1e-4;
  std::optional<double> rate;
  Which which = Which::kTwo;
  const OptionRow& real = table.real("threshold", threshold, {0, 1}, "");
  const OptionRow& without = table.real("rate", rate, {0, 1}, "");
  const OptionRow& choice =
      table.choice<Which>("which", which, {{"one", Which::kOne}, {"two", Which::kTwo}}, "");
  CHECK(real.fallback == "1e-4");
  CHECK(without.fallback.empty());
  CHECK(choice.fallback == "two");
  CHECK(choice.argument == "one|two");
  threshold = 0.25;
  rate = 2.5e-6;
  which = Which::kNeither;  // a value that cannot be typed
  CHECK(real.value() == "0.25");
  CHECK(without.value() == "2.5e-6");
  CHECK(choice.value().empty());
}

TEST_CASE("a number is shown as it was typed as long as the field holds it") {
  OptionTable table;
  float scale = 1;
  OptionRow& row = table.real("scale", scale, {0, 10}, "");
  row.set("2.50");
  CHECK(scale == 2.5F);
  CHECK(row.value() == "2.50");
  scale = 0.07F;
  CHECK(row.value() == "0.07");
  CHECK_THROWS_WITH_AS(row.set("11"), "give a number from 0 to 10", Error);
  CHECK_THROWS_AS(row.set("x"), Error);
}

TEST_CASE("a text that is parsed has its default once") {
  OptionTable table;
  int64_t length = 0;
  OptionRow& row = table.parsed("word", "WORD", "four", length, length_of, "");
  CHECK(length == 4);
  CHECK(row.value() == "four");
  row.set("seventh");
  CHECK(length == 7);
  CHECK(row.value() == "seventh");
  CHECK_THROWS_WITH_AS(row.set(""), "give letters", Error);
}

TEST_CASE("an option that is given needs what its row needs, and rows around it share needs") {
  OptionTable table;
  bool ace = false;
  int64_t every = 1;
  int64_t beta = 1;
  table.flag("ace", ace, "");
  {
    const auto on = table.all_need("-ace 1", [&] { return ace; });
    table.integer("every", every, {1, 9}, "");
    table.integer("beta", beta, {1, 9}, "").need("-every above 1", [&] { return every > 1; });
  }
  OptionRow& row = *table.find("beta");
  CHECK_FALSE(row.has_effect());
  CHECK_NOTHROW(table.refuse_idle());
  row.given = true;
  CHECK_THROWS_WITH_AS(table.refuse_idle(),
                       "-beta does nothing without -ace 1; add that or leave it out", UsageError);
  ace = true;
  CHECK_THROWS_WITH_AS(table.refuse_idle(),
                       "-beta does nothing without -every above 1; add that or leave it out",
                       UsageError);
  every = 2;
  CHECK_NOTHROW(table.refuse_idle());
  CHECK(row.has_effect());
  CHECK(table.find("ace")->has_effect());
}

TEST_CASE("what is assumed gives way to what is given") {
  OptionTable table;
  int64_t size = 50;
  int64_t batch = 100;
  table.integer("size", size, {1, 9999}, "");
  table.integer("batch", batch, {1, 9999}, "");
  table.row_of(&size).given = true;
  table.assume(size, 1000);
  table.assume(batch, 500);
  CHECK(size == 50);
  CHECK(batch == 500);
}

}  // namespace acevec::option_table_test
