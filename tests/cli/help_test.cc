// The long help and the manual pages have all of the table, the short help fits a screen.

#include "cli/help.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "cli/parts.h"
#include "commands/commands.h"

namespace acevec {
namespace {

std::string with_dashes_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '-' ? "\\-" : std::string(1, c);
  return result;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

}  // namespace

TEST_CASE("the help text has every option with its default") {
  for (const auto& command : all_commands()) {
    // Lines are broken where they are full.
    std::string help;
    for (const char c : help_text(*command, {})) {
      if (c != '\n' && c != ' ') {
        help += c;
      } else if (!help.ends_with(' ')) {
        help += ' ';
      }
    }
    for (const OptionRow& option : command->table().rows()) {
      CAPTURE(option.name);
      CHECK(holds(help, "--" + std::string(option.name) + " "));
      CHECK(holds(help, option.full_help()));
      CHECK(holds(option.full_help(), option.help));
      CHECK(holds(option.full_help(), option.fallback));
    }
  }
}

// tests/cli/help.case has the whole text of one command.
TEST_CASE("the help text says what the command does, how it is called, and groups its options") {
  for (const auto& command : all_commands()) {
    const CommandText& about = command->about();
    CAPTURE(about.name);
    const std::string help = help_text(*command, {});
    CHECK(without_blanks(help).starts_with(without_blanks(std::string(about.summary))));
    CHECK(holds(help, "\nUsage:\n  " + std::string(about.usage) + "\n"));
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      if (line.starts_with("   ")) CHECK(line.size() <= 100);
      CHECK_FALSE(line.ends_with(' '));
    }
    for (const OptionRow& option : command->table().rows()) {
      const size_t at = help.find("\n " + std::string(option.group) + " options:\n");
      CHECK(at != std::string::npos);
      CHECK(help.find("--" + option.name + " ", at) != std::string::npos);
    }
    CHECK(holds(help, "\n Other options:\n  -h "));
  }
}

TEST_CASE("help fits the width, and no text is cut") {
  const CommandLines commands = all_commands();
  for (const auto& command : commands) {
    CAPTURE(command->about().name);
    for (const size_t width : {60, 80, 100, 300}) {
      for (const bool brief : {true, false}) {
        const std::string help =
            brief ? short_help(*command, commands, width) : help_text(*command, commands, width);
        std::istringstream lines(help);
        for (std::string line; std::getline(lines, line);) {
          CAPTURE(line);
          CHECK((line.size() <= width ||
                 line.find_first_of(" |", line.rfind("  ") + 2) == std::string::npos));
          CHECK_FALSE(line.ends_with(' '));
        }
        CHECK(std::count(help.begin(), help.end(), '(') ==
              std::count(help.begin(), help.end(), ')'));
      }
    }
    CHECK(without_blanks(short_help(*command, commands, 60)) ==
          without_blanks(short_help(*command, commands, 300)));
  }
}

TEST_CASE("a short help is narrow, and has the first clause of what the command does") {
  const CommandLines commands = all_commands();
  for (const auto& command : commands) {
    CAPTURE(command->about().name);
    const std::string help = short_help(*command, commands);
    std::istringstream lines(help);
    int64_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      if (line.starts_with("  -")) CHECK(line.size() <= 80);
    }
    CHECK(count <= 45);
    const std::string brief = brief_summary(command->about());
    CHECK(brief.find_first_of(".:;,\n") == std::string::npos);
    CHECK((command->about().name.empty() || help.starts_with(brief + ".\n")));
    for (const OptionRow& option : command->table().rows()) {
      if (!option.brief.empty()) CHECK(holds(help, "  -" + option.name + " "));
    }
  }
}

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
