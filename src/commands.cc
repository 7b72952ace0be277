#include "commands.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <sstream>

#include "base/error.h"
#include "cli/file_options.h"
#include "cli/spelling.h"
#include "kg/kg_command.h"
#include "kg/predict_command.h"
#include "kg/settings.h"
#include "noise/noise_command.h"
#include "order/order_command.h"
#include "order/query_command.h"
#include "order/settings.h"
#include "phrases/phrases_command.h"
#include "text/text_command.h"
#include "vectors/analogy_command.h"
#include "vectors/convert_command.h"
#include "vectors/nn_command.h"
#include "vectors/similarity_command.h"
#include "word/settings.h"
#include "word/train_command.h"

namespace acevec {
namespace {

const CommandEntry kCommands[] = {
    {&kTrainCommand, run_train},
    {&kNnCommand, run_nn},
    {&kSimilarityCommand, run_similarity},
    {&kAnalogyCommand, run_analogy},
    {&kConvertCommand, run_convert},
    {&kPhrasesCommand, run_phrases},
    {&kNoiseCommand, run_noise},
    {&kTextCommand, run_text},
    {&kOrderCommand, run_order},
    {&kOrderQueryCommand, run_order_query},
    {&kKgCommand, run_kg},
    {&kKgPredictCommand, run_kg_predict},
};

std::vector<std::string> words_of(std::string_view name) {
  std::istringstream stream{std::string(name)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// What follows the main job's help: the other commands, a line each.
std::string list_of_commands() {
  std::string list = "\n Commands; --help after their names:\n";
  for (const CommandEntry& entry : kCommands) {
    if (entry.command->name.empty()) continue;
    list += format("  %-12s %s\n", std::string(entry.command->name).c_str(),
                   brief_summary(*entry.command).c_str());
  }
  return list;
}

bool starts_with(const std::vector<std::string>& arguments, const std::vector<std::string>& name) {
  return arguments.size() >= name.size() && std::equal(name.begin(), name.end(), arguments.begin());
}

[[noreturn]] void refuse_unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const CommandEntry& entry : kCommands) {
    if (!entry.command->name.empty()) names.emplace_back(entry.command->name);
  }
  const std::vector<std::string> near = near_spellings(word, names, 1);
  throw UsageError(format("there is no command \"%s\"; %s", word.c_str(),
                          near.empty()
                              ? "see --help for the list, and give a text to train on with -train"
                              : format("did you mean acevec %s?", near[0].c_str()).c_str()));
}

// What to do depends on the options that the command has.
std::string out_of_memory(const Command& command) {
  std::string names;
  for (const std::string_view name : {"size", "max-vocab", "batch", "memory"}) {
    for (const Option& option : command.table) {
      if (option.name == name) (names += names.empty() ? "-" : " or -") += name;
    }
  }
  return names.empty() ? "out of memory; use a smaller file, or a machine with more memory"
                       : "out of memory; use a smaller " + names;
}

}  // namespace

std::span<const CommandEntry> all_commands() {
  return kCommands;
}

void run_command(const std::vector<std::string>& arguments) {
  const CommandEntry* chosen = &kCommands[0];
  size_t name_words = 0;
  for (const CommandEntry& entry : kCommands) {
    const std::vector<std::string> name = words_of(entry.command->name);
    if (name.size() > name_words && starts_with(arguments, name)) {
      chosen = &entry;
      name_words = name.size();
    }
  }
  if (name_words == 0 && !arguments.empty() && !arguments[0].starts_with('-')) {
    refuse_unknown_command(arguments[0]);
  }
  const auto rest = arguments.begin() + static_cast<std::ptrdiff_t>(name_words);
  const Options options(*chosen->command, {rest, arguments.end()});
  if (options.wants_help()) {
    std::fputs(help_text(*chosen->command).c_str(), stdout);
    if (chosen == &kCommands[0]) std::fputs(list_of_commands().c_str(), stdout);
  } else {
    check_files(*chosen->command, options);
    try {
      chosen->run(options);
    } catch (const std::bad_alloc&) {
      throw Error(out_of_memory(*chosen->command));
    }
  }
}

}  // namespace acevec
