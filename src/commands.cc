#include "commands.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <sstream>

#include "base/error.h"
#include "base/version.h"
#include "cli/file_options.h"
#include "cli/spelling.h"
#include "cluster/collectives.h"
#include "cluster/peers.h"
#include "kg/kg_command.h"
#include "kg/predict_command.h"
#include "kg/settings.h"
#include "metric/encode_command.h"
#include "metric/metric_command.h"
#include "metric/settings.h"
#include "noise/noise_command.h"
#include "order/order_command.h"
#include "order/query_command.h"
#include "order/settings.h"
#include "phrases/phrases_command.h"
#include "sentence/encode_command.h"
#include "sentence/nn_command.h"
#include "sentence/sentence_command.h"
#include "sentence/settings.h"
#include "text/text_command.h"
#include "vectors/analogy_command.h"
#include "vectors/convert_command.h"
#include "vectors/nn_command.h"
#include "vectors/similarity_command.h"
#include "vectors/vectors_command.h"
#include "word/settings.h"
#include "word/train_command.h"

namespace acevec {
namespace {

const CommandEntry kCommands[] = {
    {&kTrainCommand, run_train},
    {&kNnCommand, run_nn},
    {&kSimilarityCommand, run_similarity},
    {&kAnalogyCommand, run_analogy},
    {&kVectorsCommand, run_vectors},
    {&kConvertCommand, run_convert},
    {&kPhrasesCommand, run_phrases},
    {&kNoiseCommand, run_noise},
    {&kTextCommand, run_text},
    {&kOrderCommand, run_order},
    {&kOrderQueryCommand, run_order_query},
    {&kKgCommand, run_kg},
    {&kKgPredictCommand, run_kg_predict},
    {&kSentenceCommand, run_sentence},
    {&kSentenceEncodeCommand, run_sentence_encode},
    {&kSentenceNnCommand, run_sentence_nn},
    {&kSentenceSimilarityCommand, run_sentence_similarity},
    {&kMetricCommand, run_metric},
    {&kMetricEncodeCommand, run_metric_encode},
    {&kMetricEvalCommand, run_metric_eval},
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
    list += format("  %-19s %s\n", std::string(entry.command->name).c_str(),
                   brief_summary(*entry.command).c_str());
  }
  return list;
}

bool starts_with(const std::vector<std::string>& arguments, const std::vector<std::string>& name) {
  return arguments.size() >= name.size() && std::equal(name.begin(), name.end(), arguments.begin());
}

// The command that goes on from the words of `begun` with something spelled much like `word`, or
// that has such a word later in its name; empty when there is none.
std::string near_command(const std::vector<std::string>& begun, const std::string& word) {
  std::vector<std::string> words;
  std::vector<std::string> names;  // a command for each of the words
  for (const CommandEntry& entry : kCommands) {
    const std::vector<std::string> name = words_of(entry.command->name);
    if (!starts_with(name, begun)) continue;
    words.insert(words.end(), name.begin() + static_cast<std::ptrdiff_t>(begun.size()), name.end());
    names.resize(words.size(), std::string(entry.command->name));
  }
  const std::vector<std::string> near = near_spellings(word, words, 1);
  if (near.empty()) return "";
  return names[static_cast<size_t>(std::find(words.begin(), words.end(), near[0]) - words.begin())];
}

// Refuses the word that follows a command's name, or stands where one should, when it looks like
// the name of a command that there is not.
void check_command_word(const Command& chosen, const std::vector<std::string>& name,
                        const std::vector<std::string>& arguments) {
  if (!chosen.positional.empty() || arguments.size() == name.size()) return;
  const std::string& word = arguments[name.size()];
  if (word.starts_with('-')) return;
  const std::string near = near_command(name, word);
  if (near.empty() && !name.empty()) return;  // Options will say that it is unexpected
  const std::string typed = name.empty() ? word : std::string(chosen.name) + " " + word;
  throw UsageError(format("there is no command \"%s\"; %s", typed.c_str(),
                          near.empty()
                              ? "see --help for the list, and give a text to train on with -train"
                              : format("did you mean acevec %s?", near.c_str()).c_str()));
}

// Training words is what processes share.
void require_alone(const Command& command) {
  if (command.name.empty() || peers().count() == 1) return;
  throw UsageError(format("acevec %s runs in one process; call it without mpirun",
                          std::string(command.name).c_str()));
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
  std::vector<std::string> chosen_name;
  for (const CommandEntry& entry : kCommands) {
    const std::vector<std::string> name = words_of(entry.command->name);
    if (name.size() > chosen_name.size() && starts_with(arguments, name)) {
      chosen = &entry;
      chosen_name = name;
    }
  }
  check_command_word(*chosen->command, chosen_name, arguments);
  const auto rest = arguments.begin() + static_cast<std::ptrdiff_t>(chosen_name.size());
  const Options options(*chosen->command, {rest, arguments.end()});
  const std::string job =
      (options.wants_help() ? "help " : options.wants_version() ? "version " : "run ") +
      std::string(chosen->command->name);
  require_same(peers(), job, "another command");
  if (options.wants_help()) {
    std::fputs(help_text(*chosen->command).c_str(), stdout);
    if (chosen == &kCommands[0]) std::fputs(list_of_commands().c_str(), stdout);
  } else if (options.wants_version()) {
    std::printf("acevec %s\n", version());
  } else {
    check_files(*chosen->command, options);
    require_alone(*chosen->command);
    try {
      chosen->run(options);
    } catch (const std::bad_alloc&) {
      throw Error(out_of_memory(*chosen->command));
    }
  }
}

}  // namespace acevec
