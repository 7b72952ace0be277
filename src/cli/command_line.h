// A command and one call of it: its help, its options with their values, and its action.
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
  bool derived = false;  // its name follows from another's, so it must not be a pipe or device
};

// The name and description of a command; the name is "" for the main job.
struct CommandText {
  std::string_view name;
  std::string_view usage;       // "acevec nn VECTORS [WORD ...] [OPTION VALUE ...]"
  std::string_view summary;     // one or more lines
  std::string_view kind = {};   // "vectors": its group in the short help
  std::string_view input = {};  // how to give input: "texts come on standard input"
};

// The arguments without a dash, from the usage line.
struct Operands {
  std::vector<std::string_view> files;  // required, such as VECTORS; OUT and FOLDER are written
  bool more = false;                    // others may follow, such as [WORD ...]
  bool may_read_input = false;          // the last is [FILE]: standard input if left out

  bool any() const { return more || !files.empty(); }
};
Operands operands_of(const CommandText& about);

// One call of a command. Each command is a derived class, whose constructor declares the options
// and binds them to its members.
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

  // Sets options and positional arguments from the arguments after the command's name; other
  // options get their defaults, which may depend on these. One dash and two both work, and so do
  // "-name value" and "-name=value". Returns the name of a switch (switches_of()) that was given,
  // else an empty text. Throws UsageError with a one-line reason, also for too few files or too
  // many arguments.
  std::string_view parse(const std::vector<std::string>& arguments);

  // The files that a run reads or writes because of others, such as v.words with v.npy.
  virtual std::vector<RunFile> more_files() const { return {}; }

  // Runs the command. Throws UsageError for options that contradict each other, and Error.
  virtual void run() = 0;

 private:
  const CommandText& about_;
  const Operands operands_;
  OptionTable table_;
  std::vector<std::string> positional_;
};

// An argument that replaces a run: -h, --help, and for the main job --version.
struct Switch {
  std::string_view name;
  std::string_view help;
};
std::span<const Switch> switches_of(const CommandLine& command);

using CommandLines = std::vector<std::unique_ptr<CommandLine>>;

// The command as the user types it: "acevec", "acevec kg".
std::string called(std::string_view name);

// The words of a command's name; none for the main job.
std::vector<std::string> words_of(std::string_view name);

// Returns whether a command line begins with these words.
bool starts_with(const std::vector<std::string>& arguments, const std::vector<std::string>& words);

// The command with the longest name that begins the command line ("order query" before "order"), or
// else the main job, the first of `commands`.
CommandLine& command_of(const CommandLines& commands, const std::vector<std::string>& arguments);

// An option's name as typed ("--size") without its dashes.
std::string without_dashes(const std::string& argument);

// An option of word2vec, fastText or gensim that has another name here, or does not exist
// (foreign_options.cc).
struct ForeignOption {
  std::string_view name;          // in lower case, without dashes and underscores
  std::string_view own;           // acevec's equivalents, "alpha|rate"; empty when there are none
  std::string_view absence;       // if `own` is empty: the reason, and what to do
  std::string_view command = {};  // the one it applies to; empty: all that train
};

std::span<const ForeignOption> foreign_options();

// The hint for `name`, which is not an option of the command: "acevec calls it -size". Empty when
// no program has such an option, or it does not apply to this command.
std::string foreign_advice(const CommandLine& command, std::string_view name);

}  // namespace acevec
