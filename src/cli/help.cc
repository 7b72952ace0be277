#include "cli/help.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {
namespace {

constexpr size_t kLeastColumns = 40;

// Breaks lines that are too long at blanks, or after a | between choices.
std::string folded(const std::string& text, size_t width) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); result += line + '\n') {
    const size_t blanks = line.find_first_not_of(' ');
    const size_t indent = blanks == 0 ? 0 : blanks + 4;
    for (size_t end; line.size() > width; line = std::string(indent, ' ') + line.substr(end)) {
      end = line.find_last_of(" |", width - 1) + 1;
      if (end <= indent) break;  // a long word
      result += line.substr(0, end - (line[end - 1] == ' ' ? 1 : 0)) + '\n';
    }
  }
  return result;
}

// An option as it is typed, and the words of its help.
using Entry = std::pair<std::string, std::vector<std::string>>;

// Appends an option, and the words about it in a column that begins at `indent`.
void append_entry(const Entry& entry, size_t indent, size_t width, std::string& text) {
  const auto& [typed, words] = entry;
  const bool fits = typed.size() + 2 <= indent;
  text += typed + (fits ? "" : "\n") + std::string(indent - (fits ? typed.size() : 0), ' ');
  append_words(text, words, indent, width);
  text += '\n';
}

// Appends a group of options under its heading.
void append_group(std::string_view heading, const std::vector<Entry>& group, size_t width,
                  std::string& text) {
  constexpr size_t kLongest = 30;  // options of more columns have a line of their own
  size_t longest = 0;
  for (const auto& [typed, words] : group) longest = std::max(longest, typed.size());
  text.append("\n ").append(heading).append(" options:\n");
  for (const Entry& one : group) append_entry(one, std::min(longest, kLongest) + 2, width, text);
}

// The end of the main job's help: one line per command.
std::string list_of_commands(const CommandLines& commands) {
  std::string list = "\n Commands (acevec COMMAND --help describes one):\n";
  for (const auto& command : commands) {
    const CommandText& about = command->about();
    if (about.name.empty()) continue;
    list += format("  %-19s %s\n", std::string(about.name).c_str(), brief_summary(about).c_str());
  }
  return list;
}

// Appends an option of -h: " -size N dimensions (default: 100)".
void append_short(const OptionRow& option, size_t width, std::string& text) {
  constexpr size_t kHelpAt = 28;
  std::vector<std::string> words = words_of(option.brief.empty() ? option.help : option.brief);
  const std::string known = option.default_text();
  if (option.brief.empty() && !known.empty()) {
    const std::string fallback = "(default: " + known + ")";  // one word if it fits on a line
    for (const std::string_view word :
         split(fallback, kHelpAt + fallback.size() > width ? " " : "")) {
      words.emplace_back(word);
    }
  }
  append_entry({"  -" + option.name + " " + option.argument, words}, kHelpAt, width, text);
}

// Lists the commands by kind, one kind per line: " vectors nn, similarity".
std::string commands_by_kind(const CommandLines& commands) {
  std::string text;
  std::string kind;  // kind of the last line; commands of a kind are adjacent
  for (const auto& command : commands) {
    const CommandText& about = command->about();
    if (about.name.empty() || about.name.find(' ') != std::string_view::npos) continue;
    if (!text.empty()) text += about.kind == kind ? ", " : "\n";
    if (about.kind != kind) {
      kind = about.kind;
      text += format("  %-26s", kind.c_str());
    }
    text += about.name;
  }
  return text + "\n";
}

constexpr const char* kFiles =
    R"(.SH FILES
.TP
\fIOUTPUT\fR.json
The record of a run, beside the file of \fB\-output\fR: version, settings, size of the text, loss, and
a command that repeats the run.
.SH ENVIRONMENT
.TP
.B TMPDIR
The folder of temporary files, by default /var/tmp.
.TP
.B ACEVEC_INPUT_END
The number of a pipe or socket on which a byte tells that standard input is complete. If the program
that started acevec ends first, acevec ends as by SIGTERM.
.TP
.B ACEVEC_PROGRESS
If set, standard error has the progress as on a terminal.
)";

constexpr const char* kStatus =
    R"(.SH EXIT STATUS
0 on success, 2 for wrong usage, 1 for any other error, 130 or 143 after SIGINT or SIGTERM.
An error is one line on standard error.
)";

constexpr const char* kExamples =
    R"(.SH EXAMPLES
.nf
acevec \-train corpus.txt \-output vectors.bin
zcat dump.gz | acevec \-train \- \-output vectors.txt
acevec nn vectors.bin paris blue
.fi
)";

// Escapes text for roff: minus signs would become hyphens, and dots at a line's start macros.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool line_start = result.empty() || result.back() == '\n';
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

// "acevec-order-query"
std::string page_name(const CommandLine& command) {
  std::string name = called(command.about().name);
  std::ranges::replace(name, ' ', '-');
  return name;
}

void add_options(const CommandLine& command, std::string& page) {
  std::string_view group;
  for (const OptionRow& option : command.table().rows()) {
    if (option.group != group) page += ".SS " + escaped(option.group) + "\n";
    group = option.group;
    page += ".TP\n" + bold("-" + option.name) + " \\fI" + escaped(option.argument) + "\\fR\n" +
            escaped(option.full_help()) + "\n";
  }
}

}  // namespace

void append_words(std::string& text, const std::vector<std::string>& words, size_t indent,
                  size_t width) {
  size_t column = text.size() - (text.rfind('\n') + 1);
  for (const std::string& word : words) {
    const bool begins = text.empty() || text.back() == ' ' || text.back() == '\n';
    if (!begins && column + 1 + word.size() > width) {
      text += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!begins) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
}

std::string help_text(const CommandLine& command, const CommandLines& commands, size_t width) {
  width = std::max(width, kLeastColumns);
  const CommandText& about = command.about();
  std::string text(about.summary);
  if (width < kHelpColumns) std::replace(text.begin(), text.end() - 1, '\n', ' ');
  text += "\nUsage:\n  " + std::string(about.usage) + "\n";
  std::vector<std::pair<std::string_view, std::vector<Entry>>> groups;
  for (const OptionRow& row : command.table().rows()) {
    if (groups.empty() || groups.back().first != row.group) groups.push_back({row.group, {}});
    groups.back().second.emplace_back("      --" + row.name + " " + row.argument,
                                      words_of(row.full_help()));
  }
  groups.push_back({"Other", {}});
  for (const auto& [name, help] : switches_of(command)) {
    const std::string dashes = name.size() == 1 ? "  -" : "      --";
    groups.back().second.emplace_back(dashes + std::string(name), words_of(help));
  }
  // A terminal may wrap when its last column is written.
  for (const auto& [heading, group] : groups) append_group(heading, group, width - 1, text);
  if (about.name.empty()) text += list_of_commands(commands);
  return folded(text, width);
}

std::string short_help(const CommandLine& command, const CommandLines& commands, size_t width) {
  width = std::max(width, kLeastColumns);
  const CommandText& about = command.about();
  const bool main = about.name.empty();
  std::string text = main ? format(
                                "acevec %s trains word vectors and other embeddings.\n\n"
                                "  acevec -train corpus.txt -output vectors.bin\n"
                                "  acevec nn vectors.bin music\n\n",
                                version())
                          : brief_summary(about) + ".\n\n  " + std::string(about.usage) + "\n\n";
  constexpr int kFew = 12;
  const auto& rows = command.table().rows();
  const bool all = std::ssize(rows) <= kFew;
  for (const OptionRow& row : rows) {
    if (all || !row.brief.empty()) append_short(row, width, text);
  }
  if (main) text += "\nCommands:\n" + commands_by_kind(commands);
  const std::string name = called(about.name);
  return folded(
      text + (main ? "\nacevec --help lists every option, acevec help COMMAND those of a command.\n"
                   : format("\n%s --help describes every option.\n", name.c_str())),
      width);
}

std::string brief_summary(const CommandText& about) {
  return std::string(about.summary.substr(0, about.summary.find_first_of(".:;,\n")));
}

std::string manual_page(const CommandLine& command, const CommandLines& commands) {
  const bool main = command.about().name.empty();
  const std::string name = page_name(command);
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string page = ".TH " + escaped(title) + " 1 \"\" \"acevec " + std::string(version()) +
                     "\" \"User Commands\"\n.SH NAME\n" + escaped(name) + " \\- " +
                     escaped(brief_summary(command.about())) + "\n.SH SYNOPSIS\n" +
                     escaped(command.about().usage) + "\n.br\n" +
                     bold(called(command.about().name)) + " " + bold("--help") + "\n" +
                     (main ? ".br\n" + bold("acevec") + " " + bold("--version") + "\n" : "") +
                     ".SH DESCRIPTION\n" + escaped(command.about().summary);
  if (!page.ends_with('\n')) page += '\n';
  page += ".SH OPTIONS\n";
  add_options(command, page);
  if (main) {
    page += ".SH COMMANDS\n";
    for (const auto& other : commands) {
      if (other->about().name.empty()) continue;
      page += ".TP\n.BR " + escaped(page_name(*other)) + " (1)\n" +
              escaped(brief_summary(other->about())) + "\n";
    }
    page += kFiles;
  }
  page += kStatus;
  if (main) page += kExamples;
  return page + ".SH SEE ALSO\n.BR " + (main ? "gzip" : "acevec") + " (1)\n";
}

std::string manual_file(const CommandLine& command) {
  return page_name(command) + ".1";
}

}  // namespace acevec
