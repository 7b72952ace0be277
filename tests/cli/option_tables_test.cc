// Tests of the rows of every command's option table: a slip in a row would show only to the user
// who needs it.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "commands/commands.h"

namespace acevec {
namespace {

void check_row(const OptionRow& option) {
  CAPTURE(option.name);
  CHECK(option.name.size() > 1);  // cxxopts takes one letter for a short option
  CHECK(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos);
  CHECK_FALSE(option.name.starts_with('-'));
  CHECK_FALSE(option.group.empty());
  CHECK_FALSE(option.help.empty());
  CHECK(option.low <= option.high);
  CHECK((option.kind == Kind::kFlag) == option.argument.empty());
  CHECK((option.kind == Kind::kChoice) != option.choices.empty());
  CHECK((option.kind == Kind::kInputFile || option.kind == Kind::kOutputFile) ==
        (option.argument == "FILE"));
  CHECK((option.kind == Kind::kInputFiles) == (option.argument == "FILE,..."));
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

TEST_CASE("the files among the arguments are those of the usage, in its order") {
  for (const auto& command : all_commands()) {
    const CommandText& about = command->about();
    std::string usage = called(about.name);
    for (const FileArgument& file : about.files) usage += " " + std::string(file.name);
    CHECK(about.usage.starts_with(usage + " "));
    CHECK(about.files.empty() == about.positional.empty());
  }
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

}  // namespace acevec
