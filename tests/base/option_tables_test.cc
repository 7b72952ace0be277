// Tests of the rows of every command's option table: a slip in a row would show only to the user
// who needs it.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "base/options.h"
#include "commands.h"

namespace acevec {
namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

void check_row(const Option& option) {
  CAPTURE(option.name);
  CHECK(option.name.size() > 1);  // cxxopts takes one letter for a short option
  CHECK(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos);
  CHECK_FALSE(option.name.starts_with('-'));
  CHECK_FALSE(option.group.empty());
  CHECK_FALSE(option.help.empty());
  CHECK(option.low <= option.high);
  CHECK((option.kind == Kind::kFlag) == option.argument.empty());
  CHECK((option.kind == Kind::kChoice) != option.choices.empty());
}

}  // namespace

TEST_CASE("the rows of the option tables are sound") {
  for (const CommandEntry& entry : all_commands()) {
    const Command* command = entry.command;
    std::set<std::string_view> names{"help", "h"};
    for (const Option& option : command->table) {
      check_row(option);
      CHECK(names.insert(option.name).second);
    }
  }
}

TEST_CASE("every default would be accepted if it were typed") {
  for (const CommandEntry& entry : all_commands()) {
    const Command* command = entry.command;
    for (const Option& option : command->table) {
      if (option.fallback.empty()) continue;
      CAPTURE(option.name);
      const std::string name(option.name);
      const std::string value(option.fallback);
      CHECK(Options(*command, {}).text(name) == value);
      CHECK_NOTHROW(Options(*command, {"-" + name, value}));
    }
  }
}

TEST_CASE("the help text has every option with its default") {
  for (const CommandEntry& entry : all_commands()) {
    const Command* command = entry.command;
    // Lines are broken where they are full.
    std::string help;
    for (const char c : help_text(*command)) {
      if (c != '\n' && c != ' ') {
        help += c;
      } else if (!help.ends_with(' ')) {
        help += ' ';
      }
    }
    for (const Option& option : command->table) {
      CAPTURE(option.name);
      CHECK(holds(help, "--" + std::string(option.name) + " "));
      CHECK(holds(help, option.help));
      if (!option.fallback.empty()) {
        CHECK(holds(help,
                    std::string(option.help) + " (default: " + std::string(option.fallback) + ")"));
      }
    }
  }
}

TEST_CASE("the help text of the main job names every other command") {
  const std::string_view summary = all_commands()[0].command->summary;
  for (const CommandEntry& entry : all_commands().subspan(1)) {
    CAPTURE(entry.command->name);
    const size_t at = summary.find(entry.command->name, summary.find("Other commands"));
    CHECK(at != std::string_view::npos);
  }
}

}  // namespace acevec
