// What shells offer is what the table has.

#include "cli/completion.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "cli/parts.h"
#include "commands/commands.h"

namespace acevec {

TEST_CASE("every shell completes every command's options and choices") {
  const std::string bash = completion_script("bash", all_commands());
  const std::string zsh = completion_script("zsh", all_commands());
  const std::string fish = completion_script("fish", all_commands());
  for (const auto& command : all_commands()) {
    CAPTURE(command->about().name);
    const std::string name(command->about().name);
    const std::string names = " " + part(bash, "    '" + name + "') names='", "'") + " ";
    const std::string zsh_case = part(zsh, "  '" + name + "') _arguments", ";;");
    for (const OptionRow& option : command->table().rows()) {
      CAPTURE(option.name);
      const std::string option_name(option.name);
      CHECK(holds(names, " " + option_name + " "));
      CHECK(holds(zsh_case, "{-" + option_name + ",--" + option_name + "}'["));
      const std::string fish_line = part(
          fish, "'__acevec_command " + name + "' -o " + option_name + " -l " + option_name + " ",
          "\n");
      CHECK_FALSE(fish_line.empty());
      if (option.kind != Kind::kChoice) continue;
      std::string words(option.choices);
      for (char& c : words) c = c == '|' ? ' ' : c;
      const std::string quoted = words.find(' ') == std::string::npos ? words : "'" + words + "'";
      CHECK(holds(bash, "'" + name + " -" + option_name + "') words=" + quoted + " ;;"));
      CHECK(holds(zsh_case, ":(" + words + ")'"));
      CHECK(holds(fish_line, "-a " + quoted));
    }
  }
}

TEST_CASE("a shell that acevec has no script for is refused") {
  CHECK_THROWS_AS(completion_script("tcsh", all_commands()), UsageError);
}

}  // namespace acevec
