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
  std::optional<int64_t> every;  // tokens of a thread
  std::optional<double> rate_times;
};

// Settings of the job that are not bound to rows are complete when resolve_words() returns, except
// those that depend on the memory and on other processes.
struct WordArguments : WordJobSettings {
  std::optional<bool> binary;
  std::string init_context;
  std::optional<TokenMode> tokens;

  std::optional<Preset> preset;
  SubwordShape subwords{3, 0, 2000000};
  PrecisionArgument precision;
  std::optional<bool> start;               // from counts; the text decides
  std::optional<int64_t> iter;             // the text decides
  std::optional<double> alpha, min_alpha;  // follow from the model, or the text decides
  bool hs = false;
  bool ace = false;
  AdversarySettings adversary;
  std::optional<double> force;    // follows from λ
  std::optional<int64_t> filter;  // MiB; the text decides

  ExchangeArguments exchanges;

  // Whether the learning rate and the epochs follow from each other and the text, by default_rate()
  // and default_epochs().
  bool has_usual_steps() const {
    return skip_gram.optimizer == OptimizerKind::kSgd && !skip_gram.cbow &&
           skip_gram.loss == LossKind::kNegativeSampling && subwords.longest == 0 && init.empty();
  }
};

// The file beside the vectors to which -preset items writes context vectors, which acevec next
// needs, if no option names one. Empty without that preset, or when the vectors do not go to a
// file.
std::string items_context_path(const WordArguments& arguments, const std::string& output);

// The settings of a run in `processes` processes with `threads` threads each.
ExchangeSettings exchange_settings(const ExchangeArguments& arguments, int processes, int threads);

void declare_words(WordArguments& arguments, RunArguments& run, OptionTable& table);

// Sets values of the preset and values that follow from others, unless they are given, and refuses
// contradictions. What depends on the text is set once that has been read. Throws UsageError.
void resolve_words(WordArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
