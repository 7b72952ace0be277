// The options of the main job: word vectors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "commands/exchange_arguments.h"
#include "commands/noise_arguments.h"
#include "commands/precision_arguments.h"
#include "commands/run_arguments.h"
#include "commands/text_arguments.h"
#include "tasks/word/skip_gram.h"
#include "vectors/format.h"

namespace acevec {

enum class Preset { kPaper, kFast, kBest, kItems };

struct WordArguments {
  std::vector<std::string> train;
  std::optional<bool> binary;
  VectorFormat format = VectorFormat::kText, context_format = VectorFormat::kText;  // resolved
  std::string output_context, output_model, save_vocab, read_vocab, init, init_context;
  TextArguments text;

  std::optional<Preset> preset;
  std::string preset_flags;  // what it stood for: "-iter 2"
  int64_t least_epochs = 1;  // of a preset, where the text's length decides how many
  SubwordShape subwords{3, 0, 2000000};
  SkipGramSettings skip_gram;
  PrecisionArgument precision;
  std::optional<int64_t> iter;             // the text decides
  std::optional<double> alpha, min_alpha;  // follow from the model
  bool hs = false;
  double heldout = 0;  // share of the lines

  NoiseSettings noise;
  bool ace = false;
  AdversarySettings adversary;
  std::optional<double> force;    // follows from λ
  std::optional<int64_t> filter;  // MiB; the text decides

  ExchangeArguments exchange;
};

void declare_words(WordArguments& arguments, RunArguments& run, OptionTable& table);

// Values of the preset and values that follow from others, where they are not given, and
// contradictions. What the text decides is decided when it has been read. Throws UsageError.
void resolve_words(WordArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
