// A command and one call of it: what the help says, the options with their values, and what it
// does.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"

namespace acevec {

// A file that a run reads or writes.
struct RunFile {
  std::string name;  // for messages: "-output", "IN", "the words of -output"
  std::string path;  // as typed; "-" is standard input or output
  bool written;
  bool derived = false;  // its name follows from another's, so nobody can mean a pipe or device
};

// How a command is called; its name is "" for the main job.
struct CommandText {
  std::string_view name;
  std::string_view usage;      // "acevec nn VECTORS [WORD ...] [OPTION VALUE ...]"
  std::string_view summary;    // one or more lines
  std::string_view kind = {};  // "vectors": with which commands the short help shows it
};

// What the usage says of arguments without a dash.
struct Operands {
  std::vector<std::string_view> files;  // which must be there: VECTORS; OUT and FOLDER are written
  bool more = false;                    // others may follow: [WORD ...]

  bool any() const { return more || !files.empty(); }
};
Operands operands_of(const CommandText& about);

// One call of a command. A command derives from it: its constructor declares the options, bound to
// its members.
class CommandLine {
 public:
  explicit CommandLine(const CommandText& about) : about_(about), operands_(operands_of(about)) {}
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  virtual ~CommandLine() = default;

  const CommandText& about() const { return about_; }
  const Operands& operands() const { return operands_; }
  const OptionTable& table() const { return table_; }
  OptionTable& table() { return table_; }

  // Arguments that are no options, in order.
  const std::vector<std::string>& positional() const { return positional_; }

  // Sets options and positional arguments from what follows the command's name; other options get
  // the defaults that go with these. One dash and two both work, and so do "-name value" and
  // "-name=value". Returns the name of the switch that asks for something else than a run, empty
  // when none does. Throws UsageError with a one-line reason, also when there are fewer files than
  // the usage says, or more arguments.
  std::string_view parse(const std::vector<std::string>& arguments);

  // The files that a run reads or writes because of others, such as v.words because of v.npy.
  virtual std::vector<RunFile> more_files() const { return {}; }

  // Does the work. Throws UsageError for options that contradict each other, and Error.
  virtual void run() = 0;

 private:
  const CommandText& about_;
  const Operands operands_;
  OptionTable table_;
  std::vector<std::string> positional_;
};

// What a command answers instead of running: -h, --help, and without a command's name --version.
struct Switch {
  std::string_view name;
  std::string_view help;
};
std::span<const Switch> switches_of(const CommandLine& command);

using CommandLines = std::vector<std::unique_ptr<CommandLine>>;

// How the user calls it: "acevec", "acevec kg".
std::string called(std::string_view name);

// The words of a command's name; none of the main job's.
std::vector<std::string> words_of(std::string_view name);

// Whether a command line begins with these words.
bool starts_with(const std::vector<std::string>& arguments, const std::vector<std::string>& words);

// The command that a command line begins with, "order query" before "order"; the main job, the
// first, where it begins with no command's name.
CommandLine& command_of(const CommandLines& commands, const std::vector<std::string>& arguments);

// An option's name as typed, "--size", without its dashes.
std::string without_dashes(const std::string& argument);

}  // namespace acevec
