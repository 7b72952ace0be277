// Tests of the rows of every command's option table: a slip in a row would show only to the user
// who needs it.

#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>

#include "base/numbers.h"
#include "commands/commands.h"

namespace acevec {
namespace {

void check_row(const OptionRow& option) {
  CAPTURE(option.name);
  CHECK(option.name.size() > 1);
  CHECK(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
        std::string::npos);
  CHECK_FALSE(option.name.starts_with('-'));
  CHECK_FALSE(option.group.empty());
  CHECK_FALSE(option.help.empty());
  CHECK(option.help.find("(default") == std::string::npos);  // default_later() says it
  CHECK(option.low <= option.high);
  CHECK_FALSE(option.argument.empty());
  CHECK((option.kind == Kind::kInputFile || option.kind == Kind::kOutputFile) ==
        (option.argument == "FILE"));
  CHECK((option.kind == Kind::kInputFiles) == (option.argument == "FILE,..."));
}

// The options and values that the text of a condition names exist.
void check_condition(OptionTable& table, const Condition& condition) {
  if (condition.holds) return;
  CAPTURE(condition.what);
  OptionRow* row = nullptr;
  for (const std::string_view word : split(condition.what, " ,")) {
    if (word.empty() || word == "or") continue;
    if (word.starts_with('-')) row = table.find(word.substr(1));
    REQUIRE(row != nullptr);
    const bool is_value = !word.starts_with('-') && word != row->argument;
    if (is_value) CHECK_NOTHROW(row->set(std::string(word)));
  }
}

}  // namespace

TEST_CASE("the rows of the option tables are sound") {
  for (const auto& command : all_commands()) {
    std::set<std::string_view> names{"help", "h"};
    for (const OptionRow& option : command->table().rows()) {
      check_row(option);
      CHECK(names.insert(option.name).second);
    }
  }
}

TEST_CASE("the usage says which files stand among the arguments, and whether others follow") {
  const auto operands = [](std::string_view name, std::string_view usage) {
    return operands_of({name, usage, ""});
  };
  using Files = std::vector<std::string_view>;
  const Operands words = operands("nn", "acevec nn VECTORS [WORD ...] [OPTION VALUE ...]");
  CHECK(words.files == Files{"VECTORS"});
  CHECK(words.more);
  const Operands two = operands("convert", "acevec convert IN OUT [OPTION VALUE ...]");
  CHECK(two.files == Files{"IN", "OUT"});
  CHECK_FALSE(two.more);
  const Operands either = operands("a", "acevec a FILE QUESTIONS | WORD - WORD [OPTION VALUE ...]");
  CHECK(either.files == Files{"FILE", "QUESTIONS"});
  CHECK(either.more);
  CHECK(operands("a b", "acevec a b MODEL -train FILE").files == Files{"MODEL"});
  CHECK_FALSE(operands("a b", "acevec a b MODEL -train FILE").more);
  CHECK_FALSE(operands("", "acevec -train FILE [OPTION VALUE ...]").any());
  for (const auto& command : all_commands())
    CHECK(command->about().usage.ends_with("[OPTION VALUE ...]") ==
          !command->table().rows().empty());
}

TEST_CASE("every default would be accepted if it were typed") {
  for (const auto& command : all_commands()) {
    for (const OptionRow& option : command->table().rows()) {
      if (option.fallback.empty()) continue;
      CAPTURE(option.name);
      const std::string name(option.name);
      const std::string value(option.fallback);
      CHECK(option.value() == value);
      CHECK_NOTHROW(option.set(value));
      CHECK(option.value() == value);
    }
  }
}

TEST_CASE("what conditions and presets say would be accepted if it were typed") {
  for (const auto& command : all_commands()) {
    OptionTable& table = command->table();
    for (OptionRow& option : table.rows()) {
      CAPTURE(option.name);
      for (const Condition& need : option.needs) check_condition(table, need);
      for (const ConditionalDefault& one : option.defaults) {
        check_condition(table, one.when);
        if (one.shown == one.value()) CHECK_NOTHROW(option.set(one.shown));
      }
      for (const PresetWord& preset : option.presets) {
        std::istringstream flags(preset.flags);
        for (std::string name, value; flags >> name >> value;) {
          CAPTURE(name);
          OptionRow* const row = table.find(name.substr(1));
          REQUIRE(row != nullptr);
          CHECK_NOTHROW(row->set(value));
        }
        CHECK_NOTHROW(option.set(preset.word));
      }
    }
  }
}

}  // namespace acevec
