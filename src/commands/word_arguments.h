// The options of the main job: word vectors.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.h"
#include "commands/shared_options.h"
#include "commands/training_command.h"
#include "tasks/word/job.h"

namespace acevec {

enum class Preset { kPaper, kFast, kBest, kItems };

struct ExchangeArguments {
  std::optional<int64_t> every;  // tokens per thread
  std::optional<double> rate_times;
};

// Settings of the job that are not bound to options are complete when resolve_words() returns,
// except those that depend on the memory and on other processes.
struct WordArguments : WordJobSettings {
  std::optional<bool> binary;
  std::string init_context;
  std::optional<TokenMode> tokens;

  std::optional<Preset> preset;
  SubwordShape subwords{3, 0, 2000000};
  PrecisionArgument precision;
  std::optional<bool> start;               // start from counts; unset: the text decides
  std::optional<int64_t> iter;             // unset: the text decides
  std::optional<double> alpha, min_alpha;  // unset: the model or the text decides
  bool hs = false;
  bool ace = false;
  AdversarySettings adversary;
  std::optional<double> force;    // unset: λ decides
  std::optional<int64_t> filter;  // MiB; unset: the text decides

  ExchangeArguments exchanges;

  // Returns whether training takes plain steps of skip-gram with negative sampling from new
  // vectors, whose learning rate and epochs follow from each other and the text (`Pace`).
  bool has_plain_steps() const {
    return skip_gram.optimizer == OptimizerKind::kSgd && !skip_gram.cbow &&
           skip_gram.loss == LossKind::kNegativeSampling && init.empty();
  }

  // Returns what the default epochs and learning rate follow from; null if the rate is fixed.
  const Pace* pace() const {
    if (!has_plain_steps()) return nullptr;
    if (start_from_counts) return &kPaceFromCounts;
    if (subwords.longest == 0) return &kPaceFromRandom;
    return subwords.shortest >= kLeastForPace ? &kPaceWithSubwords : nullptr;
  }
};

// The file beside the vectors to which -preset items writes the context vectors for acevec next if
// no option names one. Empty without that preset, or when the vectors do not go to a file.
std::string items_context_path(const WordArguments& arguments, const std::string& output);

// Returns the settings for `processes` processes with `threads` threads each.
ExchangeSettings exchange_settings(const ExchangeArguments& arguments, int processes, int threads);

void declare_words(WordArguments& arguments, RunArguments& run, OptionTable& table);

// Sets the values that follow from others, unless they are given, and refuses contradictions.
// Values that depend on the text are set after reading it. Throws UsageError.
void resolve_words(WordArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
