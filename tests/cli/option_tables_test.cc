// Tests of the rows of every command's option table: a slip in a row would show only to the user
// who needs it.

#include <doctest/doctest.h>

#include <cctype>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/completion.h"
#include "cli/foreign_options.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "commands/commands.h"

namespace acevec {
namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

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

// The part of `text` from `start` to the next `end`; empty when there is none.
std::string part(const std::string& text, const std::string& start, const std::string& end) {
  const size_t begin = text.find(start);
  if (begin == std::string::npos) return "";
  const size_t past = begin + start.size();
  return text.substr(past, text.find(end, past) - past);
}

std::string with_dashes_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '-' ? "\\-" : std::string(1, c);
  return result;
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
      CHECK(holds(help, option.help));
      if (!option.fallback.empty()) {
        CHECK(holds(help,
                    std::string(option.help) + " (default: " + std::string(option.fallback) + ")"));
      }
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
      const std::string fallback =
          option.fallback.empty() ? "" : " (default: " + std::string(option.fallback) + ")";
      CHECK(holds(section, with_dashes_escaped(std::string(option.help) + fallback) + "\n"));
    }
  }
}

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

TEST_CASE("what other programs' options are said to be called is what they are called") {
  std::set<std::string> own;
  for (const auto& command : all_commands()) {
    for (const OptionRow& option : command->table().rows()) own.emplace(option.name);
  }
  std::set<std::string_view> names;
  for (const ForeignOption& foreign : foreign_options()) {
    CAPTURE(foreign.name);
    CHECK(names.insert(foreign.name).second);
    CHECK(foreign.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos);
    CHECK(foreign.own.empty() != foreign.absence.empty());
    std::istringstream words{std::string(foreign.own)};
    for (std::string name; std::getline(words, name, '|');) CHECK(own.contains(name));
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
