#include "cli/help.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/version.h"

namespace acevec {
namespace {

constexpr size_t kColumns = 80;

// "-h" or "    --size N", as the full help has it.
std::string entry(std::string_view name, const std::string& argument = "") {
  const std::string dashed = name.size() == 1 ? "  -" : "      --";
  return dashed + std::string(name) + (argument.empty() ? "" : " " + argument);
}

// The words of `text` in lines of at most `width` columns, each but the first behind `indent`
// blanks.
std::string folded(std::string_view text, size_t indent, size_t width) {
  std::string result;
  while (text.size() > width) {
    const size_t blank = text.rfind(' ', width);
    if (blank == std::string_view::npos) break;
    result.append(text.substr(0, blank)).append("\n").append(indent, ' ');
    text.remove_prefix(blank + 1);
  }
  return result.append(text);
}

// An option or a switch, and what is said of it.
struct Entry {
  std::string left, right;
};

// A heading, and its entries in two columns.
std::string section(const std::string& heading, const std::vector<Entry>& entries) {
  constexpr size_t kAll = 99, kLongest = 30;
  size_t longest = 0;
  for (const Entry& one : entries) longest = std::max(longest, one.left.size());
  const size_t column = std::min(longest, kLongest) + 2;
  std::string text = " " + heading + " options:\n";
  for (const Entry& one : entries) {
    const bool fits = one.left.size() <= kLongest;
    const size_t blanks = fits ? column - one.left.size() : column;
    text += one.left + (fits ? "" : "\n") + std::string(blanks, ' ') +
            folded(one.right, column, kAll - column) + "\n";
  }
  return text;
}

// " (default: 100)"; empty when an option has none.
std::string default_of(const OptionRow& option) {
  return option.fallback.empty() ? "" : " (default: " + option.fallback + ")";
}

std::string argument_of(const OptionRow& option) {
  return option.kind == Kind::kFlag ? "0|1" : option.argument;
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
  std::string line = "  -" + option.name + " " + argument_of(option);
  line.resize(std::max<size_t>(line.size() + 2, 28), ' ');
  if (!option.brief.empty()) return line + option.brief + "\n";
  const std::string fallback = default_of(option);
  const size_t taken = line.size() + fallback.size();
  return line + shortened(option.help, taken < kColumns ? kColumns - taken : 0) + fallback + "\n";
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
  const CommandText& about = command.about();
  std::vector<std::string> headings;
  std::vector<std::vector<Entry>> sections;
  const auto add = [&](const std::string& heading, Entry one) {
    const auto place = std::find(headings.begin(), headings.end(), heading);
    const auto number = static_cast<size_t>(place - headings.begin());
    if (place == headings.end()) {
      headings.push_back(heading);
      sections.emplace_back();
    }
    sections[number].push_back(std::move(one));
  };
  for (const OptionRow& row : command.table().rows()) {
    add(row.group, {entry(row.name, argument_of(row)), row.help + default_of(row)});
  }
  for (const Switch& one : switches_of(command)) {
    add("Other", {entry(one.name), std::string(one.help)});
  }
  std::string text = std::string(about.summary) + "\nUsage:\n  " + std::string(about.usage) + "\n";
  for (size_t i = 0; i < headings.size(); ++i) text += "\n" + section(headings[i], sections[i]);
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
