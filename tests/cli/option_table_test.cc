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

TEST_CASE("people see six digits of a number that nobody typed, and choices have any case") {
  OptionTable table;
  double rate = 0.0844055178700548;
  Which which = Which::kTwo;
  OptionRow& real = table.real("rate", rate, {0, 1}, "");
  OptionRow& choice =
      table.choice<Which>("which", which, {{"one", Which::kOne}, {"two", Which::kTwo}}, "");
  CHECK(real.value() == "0.0844055178700548");
  CHECK(real.short_value() == "0.0844055");
  rate = 1.4999999999999999e-5;
  CHECK(real.short_value() == "1.5e-5");
  real.set("0.50");
  CHECK(real.short_value() == "0.50");
  choice.set("One");
  CHECK(choice.value() == "one");
  CHECK(choice.short_value() == "one");
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
    const auto on = table.all_need("-ace 1");
    table.integer("every", every, {1, 9}, "");
    table.integer("beta", beta, {1, 9}, "").need("-every above 1", [&] { return every > 1; });
  }
  OptionRow& row = *table.find("beta");
  CHECK_FALSE(row.has_effect());
  CHECK_NOTHROW(table.refuse_idle());
  row.given = true;
  CHECK_THROWS_WITH_AS(table.refuse_idle(),
                       "-beta has no effect without -ace 1; add that or leave it out", UsageError);
  ace = true;
  CHECK_THROWS_WITH_AS(table.refuse_idle(),
                       "-beta has no effect without -every above 1; add that or leave it out",
                       UsageError);
  every = 2;
  CHECK_NOTHROW(table.refuse_idle());
  CHECK(row.has_effect());
  CHECK(table.find("ace")->has_effect());
}

TEST_CASE("a condition says which options and values it means") {
  OptionTable table;
  bool ace = false;
  double heldout = 0;
  std::string file;
  Which which = Which::kOne;
  table.flag("ace", ace, "");
  table.real("heldout", heldout, {0, 1}, "");
  table.text("file", "FILE", file, "");
  table.choice<Which>("which", which,
                      {{"one", Which::kOne}, {"two", Which::kTwo}, {"no", Which::kNeither}}, "");
  for (const char* const what : {"-ace", "-ace 1", "-heldout X", "-file", "-which two or no"}) {
    CHECK_FALSE(table.holds({what, {}}));
  }
  CHECK(table.holds({"-ace 0", {}}));
  CHECK(table.holds({"-ace, -file or -which two or one", {}}));
  which = Which::kTwo;
  CHECK(table.holds({"-which two or no", {}}));
  CHECK_FALSE(table.holds({"-which one, -file or -ace", {}}));
  file = "0";
  CHECK(table.holds({"-file FILE", {}}));
  CHECK(table.holds({"-ace or -file", {}}));
  table.find("heldout")->set("0.0");
  CHECK_FALSE(table.holds({"-heldout", {}}));
  heldout = 0.5;
  CHECK(table.holds({"-heldout X", {}}));
  CHECK_FALSE(table.holds({"-ace 0", [] { return false; }}));
}

TEST_CASE(
    "a default follows from other options, the first condition that holds, until one is typed") {
  OptionTable table;
  Which which = Which::kOne;
  int64_t size = 50, batch = 100;
  std::optional<double> rate;
  OptionRow& rate_row = table.real("rate", rate, {0, 9}, "rate")
                            .default_when(
                                "-size above 60", [&] { return size > 60; }, "0.5")
                            .default_when(
                                "", [] { return true; }, "10 / batch",
                                [&] { return 10.0 / static_cast<double>(batch); });
  OptionRow& size_row = table.integer("size", size, {1, 9999}, "size")
                            .default_when("-batch 7", "70")
                            .default_when("-which two", "60");
  OptionRow& batch_row = table.integer("batch", batch, {1, 9999}, "batch");
  table.choice<Which>("which", which, {{"one", Which::kOne}, {"two", Which::kTwo}}, "which");
  CHECK(size_row.full_help() == "size (default: 50; 70 with -batch 7; 60 with -which two)");
  CHECK(rate_row.full_help() == "rate (default: 10 / batch; 0.5 with -size above 60)");
  table.fill_defaults();
  CHECK(size == 50);
  CHECK(rate_row.value() == "0.1");
  which = Which::kTwo;
  table.fill_defaults();
  CHECK(size == 60);
  batch = 7;  // and through the size, which comes later, the rate
  table.fill_defaults();
  CHECK(size == 70);
  CHECK(rate_row.value() == "0.5");
  batch_row.set("100");
  which = Which::kOne;
  table.fill_defaults();
  CHECK(size == 50);
  size_row.set("61");
  size_row.given = true;
  which = Which::kTwo;
  table.fill_defaults();
  CHECK(size == 61);
  CHECK(rate == 0.5);
}

TEST_CASE("a preset goes before other defaults, and what is typed before the preset") {
  OptionTable table;
  std::string preset;
  int64_t size = 50, batch = 100;
  bool ace = false;
  OptionRow& row =
      table.choice<std::string>("preset", preset, {{"big", "big"}, {"old", "old"}}, "both")
          .preset("big", "-size 1000 -ace 1")
          .preset("old", "-batch 3", " and less");
  table.integer("size", size, {1, 9999}, "").default_when("-ace 1", "70");
  table.integer("batch", batch, {1, 9999}, "");
  table.flag("ace", ace, "");
  CHECK(row.full_help() == "both; big: -size 1000 -ace 1; old: -batch 3 and less");
  table.fill_defaults();
  CHECK(row.chosen_preset() == nullptr);
  CHECK(size == 50);
  row.set("big");
  table.fill_defaults();
  CHECK(size == 1000);
  CHECK(ace);
  CHECK(batch == 100);
  table.find("batch")->given = true;
  row.set("old");
  table.fill_defaults();
  CHECK(batch == 100);
  CHECK(row.chosen_preset()->meaning == "-batch 3 and less");
}

}  // namespace acevec::option_table_test
