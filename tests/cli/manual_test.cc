// Manual pages have all of the table, as roff takes it.

#include "cli/manual.h"

#include <doctest/doctest.h>

#include "cli/parts.h"
#include "commands/commands.h"

namespace acevec {
namespace {

std::string with_dashes_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '-' ? "\\-" : std::string(1, c);
  return result;
}

}  // namespace

TEST_CASE("each command's manual page has its options with help and default") {
  for (const auto& command : all_commands()) {
    CAPTURE(command->about().name);
    const std::string page = manual_page(*command, all_commands());
    CHECK_FALSE(holds(page, "\n'"));
    CHECK(page.starts_with(".TH ACEVEC"));
    const std::string section = part(page, ".SH OPTIONS\n", "\n.SH ") + "\n";
    for (const OptionRow& option : command->table().rows()) {
      CAPTURE(option.name);
      CHECK(holds(section,
                  ".TP\n\\fB" + with_dashes_escaped("-" + std::string(option.name)) + "\\fR "));
      CHECK(holds(section, with_dashes_escaped(option.full_help()) + "\n"));
    }
  }
}

TEST_CASE("acevec(1) lists the pages of all commands") {
  const CommandLines commands = all_commands();
  const std::string page = manual_page(*commands[0], commands);
  CHECK(manual_file(*commands[0]) == "acevec.1");
  for (const auto& command : commands) {
    if (command->about().name.empty()) continue;
    const std::string file = manual_file(*command);
    CAPTURE(file);
    const std::string name = file.substr(0, file.size() - 2);
    CHECK(name.find(' ') == std::string::npos);
    CHECK(holds(page, ".BR " + with_dashes_escaped(name) + " (1)\n"));
  }
}

}  // namespace acevec
