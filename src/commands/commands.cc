#include "commands/commands.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "base/error.h"
#include "base/progress.h"
#include "base/spelling.h"
#include "cli/file_options.h"
#include "cli/help.h"
#include "cluster/peers.h"

namespace acevec {
namespace {

constexpr MakeCommand* kCommands[] = {
    make_train,
    make_nn,
    make_next,
    make_similarity,
    make_analogy,
    make_vectors,
    make_convert,
    make_phrases,
    make_noise,
    make_text,
    make_order,
    make_order_query,
    make_kg,
    make_kg_export,
    make_kg_predict,
    make_sentence,
    make_sentence_encode,
    make_sentence_export,
    make_sentence_nn,
    make_sentence_predict,
    make_sentence_retrieve,
    make_sentence_similarity,
    make_sentence_test,
    make_metric,
    make_metric_encode,
    make_metric_eval,
};

// Returns the command that goes on from the words of `begun` with something spelled much like
// `word`, or that has such a word later in its name; empty when there is none.
std::string near_command(const CommandLines& commands, const std::vector<std::string>& begun,
                         const std::string& word) {
  if (begun.empty() && word == "supervised") return "sentence -labels";  // of fastText
  std::vector<std::string> words;
  std::vector<std::string> names;  // a command for each of the words
  for (const auto& command : commands) {
    const std::vector<std::string> name = words_of(command->about().name);
    if (!starts_with(name, begun)) continue;
    words.insert(words.end(), name.begin() + static_cast<std::ptrdiff_t>(begun.size()), name.end());
    names.resize(words.size(), std::string(command->about().name));
  }
  const std::vector<std::string> near = near_spellings(word, words, 1);
  if (near.empty()) return "";
  return names[static_cast<size_t>(std::find(words.begin(), words.end(), near[0]) - words.begin())];
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
                              ? "see --help for the list, and give a text to train on with -train"
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

// Turns "help kg" into "kg --help", and removes the names that the main job has in other programs.
std::vector<std::string> without_alias(std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  const std::string first = arguments[0];
  if (first == "help") arguments.emplace_back("--help");
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

}  // namespace

CommandLines all_commands() {
  CommandLines commands;
  for (const auto make : kCommands) commands.push_back(make());
  return commands;
}

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

}  // namespace acevec
