#include "program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "base/spelling.h"
#include "base/temporary_file.h"
#include "cli/file_options.h"
#include "cli/help.h"
#include "cluster/peers.h"
#include "commands/commands.h"

namespace acevec {
namespace {

// --man prints acevec(1), --man FOLDER writes the pages of all commands there.
void write_manual(const std::vector<std::string>& arguments) {
  const auto commands = all_commands();
  if (arguments.size() == 1) {
    std::fputs(manual_page(*commands[0], commands).c_str(), stdout);
    return;
  }
  for (const auto& command : commands) {
    OutputFile page(arguments[1] + "/" + manual_file(*command));
    page.write(manual_page(*command, commands));
    page.commit();
  }
}

// --options json prints the option tables, for programs such as python/.
void print_options(const std::vector<std::string>& arguments) {
  if (arguments.size() != 2 || arguments[1] != "json") {
    throw UsageError("--options needs a format; give json");
  }
  std::fputs(options_json(all_commands()).c_str(), stdout);
}

// Commands of other programs, and acevec's equivalents.
struct ForeignCommand {
  std::string_view name, own;
};
constexpr ForeignCommand kForeignCommands[] = {
    {"supervised", "sentence -labels"},
    {"predict", "sentence predict"},
    {"predict-prob", "sentence predict -probabilities"},
    {"print-word-vectors", "vectors"},
    {"print-sentence-vectors", "sentence encode"},
    {"distance", "nn"},
    {"most_similar", "nn"},
    {"sentence search", "sentence nn"},
};

// Returns the command that continues the words of `begun` with a spelling near `word`, or has such
// a word later in its name, or is the equivalent of another program's command; empty when there is
// none.
std::string near_command(const CommandLines& commands, const std::vector<std::string>& begun,
                         const std::string& word) {
  std::string typed;
  for (const std::string& part : begun) typed += part + " ";
  typed += word;
  for (const ForeignCommand& one : kForeignCommands) {
    if (typed == one.name) return std::string(one.own);
  }
  std::vector<std::string> words;
  std::vector<std::string> names;  // the command of each word
  for (const auto& command : commands) {
    const std::vector<std::string> name = words_of(command->about().name);
    if (!starts_with(name, begun)) continue;
    words.insert(words.end(), name.begin() + static_cast<std::ptrdiff_t>(begun.size()), name.end());
    names.resize(words.size(), std::string(command->about().name));
  }
  const std::vector<std::string> near = near_spellings(word, words, 1);
  // One wrong letter of two is too much for near_spellings(), but few commands are so short.
  const auto is_meant = [&](const std::string& one) {
    if (!near.empty()) return one == near[0];
    return word.size() == 2 && one.size() == 2 && (one[0] == word[0] || one[1] == word[1]);
  };
  const auto at = std::ranges::find_if(words, is_meant);
  return at == words.end() ? "" : names[static_cast<size_t>(at - words.begin())];
}

// The words that make a longer command of `begun`: "eval, export".
std::string commands_after(const CommandLines& commands, const std::vector<std::string>& begun) {
  std::string after;
  for (const auto& command : commands) {
    const std::vector<std::string> name = words_of(command->about().name);
    if (name.size() <= begun.size() || !starts_with(name, begun)) continue;
    after += (after.empty() ? "" : ", ") + name[begun.size()];
  }
  return after;
}

// Refuses the word after a command's name, or in its place, when it looks like the name of an
// unknown command.
void check_command_word(const CommandLines& commands, const CommandText& chosen,
                        const std::vector<std::string>& name,
                        const std::vector<std::string>& arguments) {
  if (operands_of(chosen).any() || arguments.size() == name.size()) return;
  const std::string& word = arguments[name.size()];
  if (word.starts_with('-')) return;
  const std::string near = near_command(commands, name, word);
  const std::string typed = name.empty() ? word : std::string(chosen.name) + " " + word;
  if (near.empty() && !name.empty()) {
    const std::string longer = commands_after(commands, name);
    const bool is_file = exists(word) || word.find_first_of("./") != std::string::npos;
    if (longer.empty() || is_file) return;  // parse() reports it as unexpected
    throw UsageError(format("there is no command \"%s\"; acevec %s has the commands %s",
                            typed.c_str(), std::string(chosen.name).c_str(), longer.c_str()));
  }
  if (near.empty() && exists(word)) {
    throw UsageError(
        format("there is no command %s, but a file; to train on it: acevec -train %s "
               "-output FILE",
               word.c_str(), word.c_str()));
  }
  throw UsageError(format("there is no command \"%s\"; %s", typed.c_str(),
                          near.empty()
                              ? "acevec --help lists the commands; to train: acevec -train FILE "
                                "-output FILE"
                              : format("did you mean acevec %s?", near.c_str()).c_str()));
}

// Only the training of words runs in several processes.
void require_alone(const CommandText& about) {
  if (about.name.empty() || peers().count() == 1) return;
  throw UsageError(format("acevec %s runs in one process; call it without mpirun",
                          std::string(about.name).c_str()));
}

// The advice depends on the options that the command has.
std::string out_of_memory(const OptionTable& table) {
  std::string names;
  for (const char* name : {"size", "max-vocab", "batch"}) {
    if (table.find(name) != nullptr) names += (names.empty() ? "-" : " or -") + std::string(name);
  }
  return names.empty() ? "out of memory; use a smaller file, or a machine with more memory"
                       : "out of memory; use a smaller " + names;
}

// Turns "help kg" into "kg --help" and "version" into "--version", and removes the names of the
// main job in other programs.
std::vector<std::string> without_alias(std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  const std::string first = arguments[0];
  if (first == "help") arguments.emplace_back("--help");
  if (first == "version") arguments[0] = "--version";
  if (first == "cbow") arguments.emplace_back("-cbow=1");
  if (first == "help" || first == "train" || first == "skipgram" || first == "cbow") {
    arguments.erase(arguments.begin());
  }
  return arguments;
}

void carry_out(CommandLine& command) {
  check_files(command);
  require_alone(command.about());
  try {
    command.run();
  } catch (const std::bad_alloc&) {
    throw Error(out_of_memory(command.table()));
  }
}

// Runs the command named by the first words of a command line ("order query" before "order"), or
// else the main job. "help kg" is "kg --help"; "train", "skipgram" and "cbow" are the main job.
// Prints a help text or the version instead if requested.
void run_command(const std::vector<std::string>& typed) {
  const CommandLines commands = all_commands();
  const std::vector<std::string> arguments = without_alias(typed);
  CommandLine& chosen = command_of(commands, arguments);
  const std::vector<std::string> name = words_of(chosen.about().name);
  check_command_word(commands, chosen.about(), name, arguments);
  const auto rest = arguments.begin() + std::ssize(name);
  const std::string_view asked = chosen.parse({rest, arguments.end()});
  require_same(peers(), std::string(asked) + " " + std::string(chosen.about().name),
               "another command");
  if (asked.empty()) return carry_out(chosen);
  std::fputs((asked == "version" ? format("acevec %s\n", version())
              : asked == "help"
                  ? help_text(chosen, commands, columns_of(STDOUT_FILENO, kHelpColumns))
                  : short_help(chosen, commands, columns_of(STDOUT_FILENO, kShortHelpColumns)))
                 .c_str(),
             stdout);
}

// `arguments` must not be empty.
void run(const std::vector<std::string>& arguments) {
  const std::string& first = arguments[0];
  if (first == "--man") {  // `make install` installs the output of this and the next
    write_manual(arguments);
  } else if (first == "--completion") {
    const std::string shell = arguments.size() == 2 ? arguments[1] : "";
    std::fputs(completion_script(shell).c_str(), stdout);
  } else if (first == "--complete") {  // called by the shells' scripts
    const auto found = completions({arguments.begin() + 1, arguments.end()}, all_commands());
    std::fputs(found.c_str(), stdout);
  } else if (first == "--options") {
    print_options(arguments);
  } else {
    run_command(arguments);
  }
}

// A file opened while a standard stream is closed would get its descriptor, and messages would be
// written into it. Fills closed streams with /dev/null, opened in the unusable direction.
void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) return;
  }
}

// A caller that says when the input ends would read the result: when it is killed, so is this run.
void end_with_caller() {
  if (std::getenv("ACEVEC_INPUT_END") != nullptr) prctl(PR_SET_PDEATHSIG, SIGTERM);
}

}  // namespace

void print_error(const std::string& message) {
  print_message("acevec: " + message);
}

int run_program(const std::vector<std::string>& arguments, const Complain& complain) {
  try {
    occupy_standard_streams();
    remove_temporaries_at_exit();
    end_with_caller();
    if (arguments.empty()) {
      const CommandLines commands = all_commands();
      const size_t width = columns_of(STDERR_FILENO, kShortHelpColumns);
      std::fputs(short_help(*commands[0], commands, width).c_str(), stderr);
      return 2;
    }
    run(arguments);
    flush_output();
    peers().barrier();  // no process ends while others may wait for it or fail
    return 0;
  } catch (const UsageError& error) {
    complain(error.what());
    return 2;
  } catch (const Interrupted& interrupted) {
    complain(interrupted.what());
    return 128 + interrupted.signal;
  } catch (const Reported&) {
    return 1;
  } catch (const std::bad_alloc&) {
    complain("out of memory; end other programs, or use a machine with more");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return 1;
}

}  // namespace acevec
