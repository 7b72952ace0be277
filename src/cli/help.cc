#include "cli/help.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "base/version.h"

namespace acevec {
namespace {

constexpr size_t kColumns = 80;  // of the short help
constexpr size_t kWidth = 99;    // of the long one

using Entry = std::pair<std::string, std::string>;  // an option, and what it does

// The part of the long help under a heading: options on the left, and beside them what they do,
// broken at blanks.
std::string in_columns(const std::string& heading, const std::vector<Entry>& entries) {
  constexpr size_t kLongest = 30;  // a longer option has a line of its own
  size_t left = 0;
  for (const Entry& entry : entries) left = std::max(left, std::min(entry.first.size(), kLongest));
  std::string text = "\n " + heading + " options:\n";
  for (const auto& [option, meaning] : entries) {
    if (option.size() > left) text += option + "\n";
    std::string line = option.size() > left ? "" : option;
    line.resize(left + 1, ' ');
    for (const std::string_view word : split(meaning, " ")) {
      if (line.size() + 1 + word.size() > kWidth) {
        text += line + "\n";
        line.assign(left + 1, ' ');
      }
      (line += ' ') += word;
    }
    text += line + "\n";
  }
  return text;
}

Entry entry_of(const OptionRow& option) {
  const std::string fallback = option.fallback.empty() ? "" : " (default: " + option.fallback + ")";
  return {"      --" + option.name + " " + option.argument, option.help + fallback};
}

// What follows the main job's help: the other commands, a line each.
std::string list_of_commands(const CommandLines& commands) {
  std::string list = "\n Commands; --help after their names:\n";
  for (const auto& command : commands) {
    const CommandText& about = command->about();
    if (about.name.empty()) continue;
    list += format("  %-19s %s\n", std::string(about.name).c_str(), brief_summary(about).c_str());
  }
  return list;
}

// The first clause of a text, in at most so many columns.
std::string shortened(std::string text, size_t most) {
  text.resize(std::min(text.size(), text.find(';')));
  if (text.size() <= most) return text;
  const size_t dots = 4;
  return most <= dots ? "" : text.substr(0, text.rfind(' ', most - dots)) + " ...";
}

// "  -size N                   dimensions (default: 100)"
std::string short_line(const OptionRow& option) {
  std::string argument = option.argument;
  const size_t room = kColumns - 4 - option.name.size();
  if (argument.size() > room) argument.resize(argument.rfind('|', room - 4) + 1);
  if (argument.ends_with('|')) argument += "...";
  std::string line = "  -" + option.name + " " + argument;
  line.resize(std::max<size_t>(line.size() + 2, 28), ' ');
  if (!option.brief.empty()) return line + option.brief + "\n";
  const std::string fallback = option.fallback.empty() ? "" : " (default: " + option.fallback + ")";
  const size_t taken = line.size() + fallback.size();
  if (taken > kColumns) return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return line + shortened(option.help, kColumns - taken) + fallback + "\n";
}

// The commands by kind, the names of a kind in a line: "  vectors   nn, similarity".
std::string commands_by_kind(const CommandLines& commands) {
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  for (const auto& command : commands) {
    const CommandText& about = command->about();
    if (about.name.empty() || about.name.find(' ') != std::string_view::npos) continue;
    if (kinds.empty() || kinds.back() != about.kind) {
      kinds.emplace_back(about.kind);
      names.emplace_back();
    }
    names.back() += (names.back().empty() ? "" : ", ") + std::string(about.name);
  }
  std::string text;
  for (size_t i = 0; i < kinds.size(); ++i) {
    text += format("  %-26s%s\n", kinds[i].c_str(), names[i].c_str());
  }
  return text;
}

}  // namespace

std::string help_text(const CommandLine& command, const CommandLines& commands) {
  std::vector<std::string> headings;
  std::vector<std::vector<Entry>> groups;
  for (const OptionRow& option : command.table().rows()) {
    const auto found = std::find(headings.begin(), headings.end(), option.group);
    const auto at = static_cast<size_t>(found - headings.begin());
    if (found == headings.end()) {
      headings.push_back(option.group);
      groups.emplace_back();
    }
    groups[at].push_back(entry_of(option));
  }
  headings.emplace_back("Other");
  groups.emplace_back();
  for (const auto& [name, help] : switches_of(command)) {
    groups.back().emplace_back((name.size() == 1 ? "  -" : "      --") + std::string(name), help);
  }
  const CommandText& about = command.about();
  std::string text = std::string(about.summary) + "\nUsage:\n  " + std::string(about.usage) + "\n";
  for (size_t i = 0; i < groups.size(); ++i) text += in_columns(headings[i], groups[i]);
  return about.name.empty() ? text + list_of_commands(commands) : text;
}

std::string short_help(const CommandLine& command, const CommandLines& commands) {
  const CommandText& about = command.about();
  const bool main = about.name.empty();
  std::string text = main ? format(
                                "acevec %s trains word vectors and other embeddings.\n\n"
                                "  acevec -train corpus.txt -output vectors.bin\n"
                                "  acevec nn vectors.bin music\n\n",
                                version())
                          : brief_summary(about) + ".\n\n  " + std::string(about.usage) + "\n\n";
  constexpr int kFew = 14;
  const auto& rows = command.table().rows();
  const bool all = std::ssize(rows) <= kFew;
  for (const OptionRow& row : rows) {
    if (all || !row.brief.empty()) text += short_line(row);
  }
  if (main) text += "\nCommands:\n" + commands_by_kind(commands);
  const std::string name = called(about.name);
  return text +
         (main ? "\nacevec --help lists every option, acevec help COMMAND those of a command.\n"
               : format("\n%s --help has every option in full.\n", name.c_str()));
}

std::string brief_summary(const CommandText& about) {
  return std::string(about.summary.substr(0, about.summary.find_first_of(".:;,\n")));
}

}  // namespace acevec
