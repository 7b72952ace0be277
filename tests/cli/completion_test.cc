// What shells offer is what the table has.

#include "cli/help.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/numbers.h"
#include "cli/parts.h"
#include "commands/commands.h"

namespace acevec {

TEST_CASE("every command's options are offered, with their choices or files") {
  const CommandLines commands = all_commands();
  for (const auto& command : commands) {
    CAPTURE(command->about().name);
    std::vector<std::string> words = words_of(command->about().name);
    words.emplace_back("--");
    const std::string names = "\n" + completions(words, commands);
    CHECK(holds(names, "\n--help\t"));
    for (const OptionRow& option : command->table().rows()) {
      CAPTURE(option.name);
      CHECK(holds(names, "\n--" + option.name + "\t" + option.help + "\n"));
      words.back() = "-" + option.name;
      words.emplace_back();
      const std::string values = completions(words, commands);
      words.pop_back();
      std::string expected = names_file(option.kind) ? "/\n" : "";
      if (option.kind == Kind::kChoice || option.kind == Kind::kFlag) {
        for (const auto word : split(option.argument, "|")) expected += std::string(word) + "\n";
      }
      CHECK(values == expected);
    }
  }
}

TEST_CASE("commands are offered where one may stand, and files elsewhere") {
  const CommandLines commands = all_commands();
  for (const auto& command : commands) {
    std::vector<std::string> words = words_of(command->about().name);
    if (words.empty()) continue;
    const std::string last = words.back();
    CHECK(holds("\n" + completions(words, commands), "\n" + last + "\t"));
    words.insert(words.end(), {"file", ""});
    CHECK(completions(words, commands) == "/\n");
  }
  CHECK(completions({}, commands) == completions({""}, commands));
}

TEST_CASE("a shell that acevec has no script for is refused") {
  CHECK_THROWS_AS(completion_script("tcsh"), UsageError);
}

}  // namespace acevec
