#include "cli/run_record.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace acevec {
namespace {

constexpr Option kTable[] = {
    text("Files", "output", "FILE", "", "where to"),
    integer("Work", "size", "100", 1, 1000, "how much"),
    real("Work", "rate", "", 0, 1, "how fast"),
    flag("Work", "twice", "0", "again"),
};
const Command kCommand{"work", "acevec work", "Works.\n", "", kTable};

bool always(const Option& /*option*/) {
  return true;
}

}  // namespace

TEST_CASE("the repeating command has what was given and what differs") {
  Options options(kCommand, {"-output", "-odd", "-twice"});
  CHECK(repeating_command(kCommand, options, always) == "acevec work -output=-odd -twice 1");
  options.assume("rate", "0.5");
  options.assume("output", "other");
  CHECK(repeating_command(kCommand, options, always) ==
        "acevec work -output=-odd -rate 0.5 -twice 1");
  CHECK(repeating_command(kCommand, options, [](const Option& option) {
          return option.name == "rate";
        }) == "acevec work -rate 0.5");
}

TEST_CASE("records have every option with its type") {
  const Options options(kCommand, {"-output", "a \"b\"\xff", "-size", "7"});
  const auto record = run_record(kCommand, options, "again");
  CHECK(record["command"] == "again");
  CHECK(record["settings"]["size"] == 7);
  CHECK(record["settings"]["rate"].is_null());
  CHECK(record["settings"]["twice"] == false);
  const auto back = nlohmann::json::parse(record_text(record));
  CHECK(back["settings"]["output"] == "a \"b\"\xef\xbf\xbd");
}

TEST_CASE("settings are shown in lines that fit") {
  Options options(kCommand, {"-output", std::string(95, 'x')});
  options.assume("rate", "1e-3");
  const std::string table = settings_table(
      kCommand, options, [](const Option& option) { return option.name != "twice"; });
  CHECK(table.substr(table.find('\n')) ==
        "\n  -output " + std::string(95, 'x') + "\n  -size 100 -rate 1e-3");
}

}  // namespace acevec
