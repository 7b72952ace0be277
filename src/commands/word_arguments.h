// The options of the main job: word vectors.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.h"
#include "commands/exchange_arguments.h"
#include "commands/shared_options.h"
#include "commands/training_command.h"
#include "tasks/word/job.h"

namespace acevec {

enum class Preset { kPaper, kFast, kBest, kItems };

// Settings of the job that are not bound to rows are complete when resolve_words() returns, but for
// what depends on the memory and the other processes.
struct WordArguments : WordJobSettings {
  std::optional<bool> binary;
  std::string init_context;
  TextArguments text;

  std::optional<Preset> preset;
  SubwordShape subwords{3, 0, 2000000};
  PrecisionArgument precision;
  std::optional<int64_t> iter;             // the text decides
  std::optional<double> alpha, min_alpha;  // follow from the model, or the text decides
  bool hs = false;
  bool ace = false;
  AdversarySettings adversary;
  std::optional<double> force;    // follows from λ
  std::optional<int64_t> filter;  // MiB; the text decides

  ExchangeArguments exchanges;

  // Whether the learning rate and the epochs follow from each other and the text, by default_rate() and default_epochs().
  bool has_usual_steps() const {
    return skip_gram.optimizer == OptimizerKind::kSgd && !skip_gram.cbow &&
           skip_gram.loss == LossKind::kNegativeSampling && init.empty();
  }

  bool mixes_candidates() const {
    return ace && adversary.softmax == AdversarySettings::Softmax::kCandidates;
  }
};

// Where -preset items writes context vectors that no option asks for, since acevec next needs them:
// beside the vectors. Empty without that preset, or where these are no file.
std::string items_context_path(const WordArguments& arguments, const std::string& output);

void declare_words(WordArguments& arguments, RunArguments& run, OptionTable& table);

// Values of the preset and values that follow from others, where they are not given, and
// contradictions. What the text decides is decided when it has been read. Throws UsageError.
void resolve_words(WordArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
