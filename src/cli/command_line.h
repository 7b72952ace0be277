// A command and one call of it: its help, its options with their values, and its work.
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

// The name and description of a command; the name is "" for the main job.
struct CommandText {
  std::string_view name;
  std::string_view usage;       // "acevec nn VECTORS [WORD ...] [OPTION VALUE ...]"
  std::string_view summary;     // one or more lines
  std::string_view kind = {};   // "vectors": the group in which the short help shows it
  std::string_view input = {};  // how to give what is no argument: "texts come on standard input"
};

// The arguments without a dash, as the usage has them.
struct Operands {
  std::vector<std::string_view> files;  // required: VECTORS; OUT and FOLDER are written
  bool more = false;                    // others may follow: [WORD ...]
  bool may_read_input = false;          // [FILE], the last, is standard input if left out

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

  // Arguments that are not options, in order.
  const std::vector<std::string>& positional() const { return positional_; }

  // Sets options and positional arguments from what follows the command's name; other options get
  // the defaults that belong to these. One dash and two both work, and so do "-name value" and
  // "-name=value". Returns the name of a switch (switches_of()) that was given, else an empty text.
  // Throws UsageError with a one-line reason, also when there are fewer files than in the usage, or
  // more arguments.
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

// An argument in place of a run: -h, --help, and for the main job --version.
struct Switch {
  std::string_view name;
  std::string_view help;
};
std::span<const Switch> switches_of(const CommandLine& command);

using CommandLines = std::vector<std::unique_ptr<CommandLine>>;

// The command as the user calls it: "acevec", "acevec kg".
std::string called(std::string_view name);

// The words of a command's name; none for the main job.
std::vector<std::string> words_of(std::string_view name);

// Whether a command line begins with these words.
bool starts_with(const std::vector<std::string>& arguments, const std::vector<std::string>& words);

// The command whose name a command line begins with, "order query" before "order"; otherwise the
// main job, the first of `commands`.
CommandLine& command_of(const CommandLines& commands, const std::vector<std::string>& arguments);

// An option's name as typed, "--size", without its dashes.
std::string without_dashes(const std::string& argument);

}  // namespace acevec
