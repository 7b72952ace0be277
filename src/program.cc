#include "program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/spelling.h"
#include "base/temporary_file.h"
#include "cli/completion.h"
#include "cli/file_options.h"
#include "cli/help.h"
#include "cli/options_json.h"
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

// Commands of other programs, and what does the same.
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

// Returns the command that goes on from the words of `begun` with something spelled much like
// `word`, or that has such a word later in its name, or does what another program's command of that
// name does; empty when there is none.
std::string near_command(const CommandLines& commands, const std::vector<std::string>& begun,
                         const std::string& word) {
  std::string typed;
  for (const std::string& part : begun) typed += part + " ";
  typed += word;
  for (const ForeignCommand& one : kForeignCommands) {
    if (typed == one.name) return std::string(one.own);
  }
  std::vector<std::string> words;
  std::vector<std::string> names;  // a command for each of the words
  for (const auto& command : commands) {
    const std::vector<std::string> name = words_of(command->about().name);
    if (!starts_with(name, begun)) continue;
    words.insert(words.end(), name.begin() + static_cast<std::ptrdiff_t>(begun.size()), name.end());
    names.resize(words.size(), std::string(command->about().name));
  }
  const std::vector<std::string> near = near_spellings(word, words, 1);
  // Half of two letters differ, which is too much for a word, but there are few such commands.
  const auto is_meant = [&](const std::string& one) {
    if (!near.empty()) return one == near[0];
    return word.size() == 2 && one.size() == 2 && (one[0] == word[0] || one[1] == word[1]);
  };
  const auto at = std::ranges::find_if(words, is_meant);
  return at == words.end() ? "" : names[static_cast<size_t>(at - words.begin())];
}

// Refuses the word that follows a command's name, or stands where one should, when it looks like
// the name of a command that there is not.
void check_command_word(const CommandLines& commands, const CommandText& chosen,
                        const std::vector<std::string>& name,
                        const std::vector<std::string>& arguments) {
  if (operands_of(chosen).any() || arguments.size() == name.size()) return;
  const std::string& word = arguments[name.size()];
  if (word.starts_with('-')) return;
  const std::string near = near_command(commands, name, word);
  if (near.empty() && !name.empty()) return;  // parse() will say that it is unexpected
  const std::string typed = name.empty() ? word : std::string(chosen.name) + " " + word;
  throw UsageError(format("there is no command \"%s\"; %s", typed.c_str(),
                          near.empty()
                              ? "acevec --help lists the commands; to train: acevec -train FILE "
                                "-output FILE"
                              : format("did you mean acevec %s?", near.c_str()).c_str()));
}

// Processes share the training of words alone.
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

// Turns "help kg" into "kg --help" and "version" into "--version", and removes the names that the
// main job has in other programs.
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

// Runs the command that the first words of a command line name ("order query" before "order"); the
// main job when they name none. "help kg" is "kg --help"; "train", "skipgram" and "cbow" are the
// main job. Prints a help text or the version instead when that is asked for.
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

// There is at least one argument.
void run(const std::vector<std::string>& arguments) {
  const std::string& first = arguments[0];
  if (first == "--man") {  // this and the next are what `make install` installs
    write_manual(arguments);
  } else if (first == "--completion") {
    const std::string shell = arguments.size() == 2 ? arguments[1] : "";
    std::fputs(completion_script(shell).c_str(), stdout);
  } else if (first == "--complete") {  // what the shells' scripts ask
    const auto found = completions({arguments.begin() + 1, arguments.end()}, all_commands());
    std::fputs(found.c_str(), stdout);
  } else if (first == "--options") {
    print_options(arguments);
  } else {
    run_command(arguments);
  }
}

// A file opened while one of the standard streams is closed would take its number, and messages
// would land in it. Something that can only be used the wrong way round takes the place instead.
void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) return;
  }
}

}  // namespace

void print_error(const std::string& message) {
  print_message("acevec: " + message);
}

int run_program(const std::vector<std::string>& arguments, const Complain& complain) {
  try {
    occupy_standard_streams();
    remove_temporaries_at_exit();
    if (arguments.empty()) {
      const CommandLines commands = all_commands();
      const size_t width = columns_of(STDERR_FILENO, kShortHelpColumns);
      std::fputs(short_help(*commands[0], commands, width).c_str(), stderr);
      return 2;
    }
    run(arguments);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw Error("cannot write to standard output; check its destination");
    }
    peers().barrier();  // of several processes none ends while others may wait for it, or may fail
    return 0;
  } catch (const UsageError& error) {
    complain(error.what());
    return 2;
  } catch (const Interrupted& interrupted) {
    complain(interrupted.what());
    return 128 + interrupted.signal();
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
