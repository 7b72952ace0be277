#include "cli/help.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "commands/commands.h"

namespace acevec {
namespace {

using Parsed = nlohmann::json;

const Parsed& named(const Parsed& list, const std::string& name) {
  for (const Parsed& one : list) {
    if (one["name"] == name) return one;
  }
  FAIL("there is no " << name);
  return list;
}

}  // namespace

TEST_CASE("the option tables as JSON have every command and every row") {
  const CommandLines commands = all_commands();
  const Parsed all = Parsed::parse(options_json(commands))["commands"];
  REQUIRE(all.size() == commands.size());
  for (size_t i = 0; i < commands.size(); ++i) {
    const auto& rows = commands[i]->table().rows();
    CHECK(all[i]["name"] == commands[i]->about().name);
    REQUIRE(all[i]["options"].size() == rows.size());
    for (size_t j = 0; j < rows.size(); ++j) {
      const Parsed& row = all[i]["options"][j];
      CAPTURE(rows[j].name);
      CHECK(row["name"] == rows[j].name);
      CHECK(row["help"] == rows[j].help);
      CHECK(row["default"].is_null() == rows[j].fallback.empty());
      CHECK(row["default_text"] == rows[j].default_text());
      CHECK(row["defaults"].size() == rows[j].defaults.size());
      CHECK(row["needs"].size() == rows[j].needs.size());
    }
  }
}

TEST_CASE("values of options are typed in JSON") {
  const Parsed all = Parsed::parse(options_json(all_commands()))["commands"];
  const Parsed& words = named(all, "")["options"];
  CHECK(named(words, "size")["kind"] == "integer");
  CHECK(named(words, "size")["default"] == 100);
  CHECK(named(words, "size")["low"] == 1);
  CHECK(named(words, "sample")["default"] == 1e-4);
  CHECK(named(words, "ace")["default"] == false);
  CHECK(named(words, "loss")["default"] == "ns");
  CHECK(named(words, "ace-force")["default_text"] == "1; 0 with -ace-lambda below 0.5");
  CHECK(named(words, "ace-force")["defaults"][0] ==
        Parsed{{"when", "-ace-lambda below 0.5"}, {"value", "0"}});
  CHECK(named(words, "loss")["choices"] == Parsed{"ns", "nce", "ranking"});
  CHECK(named(words, "train")["kind"] == "input_files");
  CHECK(named(words, "output")["default"].is_null());
  CHECK(named(words, "checkpoint-every")["needs"] == Parsed{"-checkpoint"});
}

}  // namespace acevec
