// The option table of word training, and its values as settings of the trainer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options.h"
#include "cluster/row_exchange.h"
#include "noise/noise.h"
#include "text/source.h"
#include "text/tokenizer.h"
#include "train/run_settings.h"
#include "vectors/format.h"
#include "word/skip_gram.h"

namespace acevec {

struct TrainSettings {
  SkipGramSettings skip_gram;
  std::string train;
  std::string output_context;
  std::string output_model;
  std::string save_vocab;
  std::string read_vocab;
  std::string init;
  std::string init_context;
  bool size_given = false;  // else skip_gram.size is that of the files to start from
  RunSettings run;
  ExchangeSettings exchange;  // with other processes
  double heldout = 0;         // part of the lines
  VectorFormat output_format = VectorFormat::kText;
  VectorFormat context_format = VectorFormat::kText;
  TextFormat format = TextFormat::kText;
  TokenMode tokens = TokenMode::kSpace;
  int64_t min_count = 5;
  int64_t max_vocab = 0;
  NoiseSettings noise;
  std::string command;  // that repeats the run
  std::string record;   // file that tells of the run; may be empty
};

// The command line of the main job.
extern const Command kTrainCommand;

// What skip-gram needs to know. The option table is where its defaults stand.
SkipGramSettings read_skip_gram(const Options& options);

// Checks what the table alone cannot: options that contradict each other, endings, word2vec's
// switches for what acevec does not do. Options that were not given and have a value nevertheless,
// by -preset or from others, get it. Throws UsageError.
TrainSettings read_train_settings(Options& options);

inline constexpr int64_t kUsualEpochs = 5;

// Epochs for a text of so many tokens, at least 1, where none are given: enough to train on about
// 50 M tokens, from kUsualEpochs to 50 (docs/experiments/small-texts.md).
int64_t default_epochs(int64_t tokens);

// Whether an option of the command means anything beside the others.
bool has_effect(const Option& option, const Options& options);

}  // namespace acevec
