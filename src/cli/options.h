// The option table: one list per command. The parser, the help text, the defaults and the range
// checks all use it, so they cannot disagree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/file_options.h"
#include "commands/vector_files.h"
#include "vectors/plain_rows.h"

namespace acevec {

// One row of a table.
struct Option {
  std::string_view name;  // without dashes
  Kind kind;
  std::string_view argument;  // what the help calls the value; empty for flags
  std::string_view fallback;  // default value as it would be typed; empty for none
  double low;                 // smallest number allowed
  double high;                // largest
  std::string_view choices;   // "a|b|c"
  std::string_view group;     // heading in the help text
  std::string_view help;
};

// Builders for the rows of a table.
constexpr Option flag(std::string_view group, std::string_view name, std::string_view fallback,
                      std::string_view help) {
  return {name, Kind::kFlag, "", fallback, 0, 1, "", group, help};
}
constexpr Option integer(std::string_view group, std::string_view name, std::string_view fallback,
                         double low, double high, std::string_view help) {
  return {name, Kind::kInteger, "N", fallback, low, high, "", group, help};
}
constexpr Option real(std::string_view group, std::string_view name, std::string_view fallback,
                      double low, double high, std::string_view help) {
  return {name, Kind::kReal, "X", fallback, low, high, "", group, help};
}
constexpr Option text(std::string_view group, std::string_view name, std::string_view argument,
                      std::string_view fallback, std::string_view help) {
  return {name, Kind::kText, argument, fallback, 0, 0, "", group, help};
}
constexpr Option input_file(std::string_view group, std::string_view name, std::string_view help) {
  return {name, Kind::kInputFile, "FILE", "", 0, 0, "", group, help};
}
constexpr Option input_files(std::string_view group, std::string_view name, std::string_view help) {
  return {name, Kind::kInputFiles, "FILE,...", "", 0, 0, "", group, help};
}
constexpr Option output_file(std::string_view group, std::string_view name, std::string_view help) {
  return {name, Kind::kOutputFile, "FILE", "", 0, 0, "", group, help};
}
constexpr Option choice(std::string_view group, std::string_view name, std::string_view choices,
                        std::string_view fallback, std::string_view help) {
  return {name, Kind::kChoice, choices, fallback, 0, 0, choices, group, help};
}

// The row of -threads, whose value threads_of() gives.
constexpr Option threads_row(std::string_view group) {
  return integer(group, "threads", "", 1, 4096, "threads (default: as many as the machine has)");
}

// The row of -seed.
constexpr Option seed_row(std::string_view group) {
  return integer(group, "seed", "1", 0, kMaxCount,
                 "random seed; with one thread the same seed gives byte-identical output");
}

// The row of -quiet, which goes with -debug: see debug_of().
constexpr Option quiet_row(std::string_view group) {
  return flag(group, "quiet", "0", "same as -debug 0");
}

// One table from several, for rows that commands share.
template <size_t... sizes>
constexpr auto joined(const Option (&... tables)[sizes]) {
  std::array<Option, (sizes + ...)> rows{};
  size_t filled = 0;
  const auto append = [&](std::span<const Option> table) {
    for (const Option& row : table) rows[filled++] = row;
  };
  (append(tables), ...);
  return rows;
}

class Options;
// A command: its name ("" for the main job), how it is called, and its table.
struct Command {
  std::string_view name;
  std::string_view usage;       // "acevec nn VECTORS [WORD ...]"
  std::string_view summary;     // one or more lines
  std::string_view positional;  // what arguments without a dash are; empty when there are none
  std::span<const Option> table;
  // Of the arguments without a dash those that are files; they come first.
  std::span<const FileArgument> files = {};
  // The files that a run reads or writes because of others, such as v.words because of v.npy.
  std::vector<RunFile> (*more_files)(const Options& options) = nullptr;
};

// The values of one command line, checked against the table.
class Options {
 public:
  // Parses the arguments that follow the command's name. One dash and two both work, so do
  // "-name value" and "-name=value". Throws UsageError with a one-line reason.
  Options(const Command& command, const std::vector<std::string>& arguments);

  // True when the user gave the option.
  bool given(std::string_view name) const { return given_.contains(name); }

  // The value given or the default. Asking for a name that is not in the table is a bug.
  const std::string& text(std::string_view name) const;
  int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  bool flag(std::string_view name) const { return text(name) == "1"; }

  // Gives an option that the user did not give another value than the table's, which must be one
  // that could be typed.
  void assume(std::string_view name, std::string_view value);

  // Gives an option a value as if the user had given it, which must be one that could be typed:
  // what this machine or this moment decided must stay, in checkpoints and in commands that repeat.
  void decide(std::string_view name, std::string_view value);

  // Arguments that are no options, in order.
  const std::vector<std::string>& positional() const { return positional_; }

  bool wants_help() const { return wants_help_; }

 private:
  friend class OldCommandLine;
  Options() = default;

  std::map<std::string, std::string, std::less<>> values_;
  std::set<std::string, std::less<>> given_;
  std::vector<std::string> positional_;
  bool wants_help_ = false;
};

// Throws std::logic_error: nothing stands for the choice of option `name`.
[[noreturn]] void refuse_choice(const Options& options, std::string_view name);

// What the choice of option `name` stands for. A choice of the table without a row in `values`
// throws std::logic_error: it never silently means another one.
template <class Value, size_t count>
Value chosen(const Options& options, std::string_view name,
             const std::pair<std::string_view, Value> (&values)[count]) {
  for (const auto& [word, value] : values) {
    if (options.text(name) == word) return value;
  }
  refuse_choice(options, name);
}

// The value of -threads, or as many as the machine has. Throws Error when the system does not give
// them.
int threads_of(const Options& options);

// The value of -debug, or 0 with -quiet.
int debug_of(const Options& options);

// Throws UsageError when the user gave option `name`, which does nothing without what is `needed`,
// such as "-ace 1".
void refuse_idle(const Options& options, std::string_view name, std::string_view needed);

// A command of this kind as the others are.
class OldCommandLine final : public CommandLine {
 public:
  OldCommandLine(const Command& command, void (*run)(const Options&));
  OldCommandLine(const Command& command, const Options& options);
  std::vector<RunFile> more_files() const override;
  void run() override { run_(options()); }
  Options options() const;

 private:
  const Command& command_;
  CommandText text_;
  void (*run_)(const Options&);
  std::map<std::string, std::string> values_;
};

inline std::vector<RunFile> files_of(const Command& command, const Options& options) {
  return files_of(OldCommandLine(command, options));
}
inline void check_files(const Command& command, const Options& options) {
  check_files(OldCommandLine(command, options));
}

// What other modules had for commands of this kind.
constexpr Option plain_output_row(std::string_view group) {
  return output_file(group, "output", "write the vectors here (default: standard output)");
}
constexpr Option plain_format_row(std::string_view group) {
  return choice(group, "format", "text|tsv|npy", "",
                "text: numbers separated by spaces; tsv: by tabs; npy: numpy's array (default: by "
                "the ending of -output; .txt, .vec or none is text)");
}
bool for_query_words(const Options& options,
                     const std::function<void(const std::vector<std::string>&)>& answer);

}  // namespace acevec
