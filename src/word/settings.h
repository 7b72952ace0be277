// The main job's option table, and its values as the trainer wants them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/interval.h"
#include "cli/options.h"
#include "noise/noise.h"
#include "text/source.h"
#include "text/tokenizer.h"
#include "vectors/format.h"
#include "word/adversary.h"
#include "word/loss.h"

namespace acevec {

// What the skip-gram trainer needs to know.
struct SkipGramSettings {
  int64_t size = 100;     // d, numbers in a vector
  int64_t window = 5;     // largest distance of a context word
  int64_t negatives = 5;  // K, negatives per positive pair
  LossKind loss = LossKind::kNegativeSampling;
  double sample = 1e-4;  // t, frequency above which words are subsampled; 0: never
  OptimizerKind optimizer = OptimizerKind::kSgd;
  double alpha = 0.025;       // learning rate at the start
  double min_alpha = 2.5e-6;  // and at the end
  int64_t epochs = 5;
  int threads = 1;
  uint64_t seed = 1;
  std::optional<AdversarySettings> adversary;  // ACE
};

struct TrainSettings {
  SkipGramSettings skip_gram;
  std::string train;
  std::string output;  // may be empty when save_vocab is not
  std::string output_context;
  std::string save_vocab;
  std::string read_vocab;
  std::string init;
  std::string init_context;
  bool size_given = false;  // else skip_gram.size is that of the files to start from
  std::string log;
  Interval log_every;
  std::optional<Interval> save_every;
  std::string checkpoint;
  Interval checkpoint_every;
  double heldout = 0;  // part of the lines
  Interval heldout_every;
  int64_t patience = 0;    // 0: the run goes to its end
  int64_t max_memory = 0;  // bytes; 0: what there is
  VectorFormat output_format = VectorFormat::kText;
  VectorFormat context_format = VectorFormat::kText;
  TextFormat format = TextFormat::kText;
  TokenMode tokens = TokenMode::kSpace;
  int64_t min_count = 5;
  int64_t max_vocab = 0;
  NoiseSettings noise;
  int debug = 1;        // 0: errors only
  std::string command;  // that repeats the run
  std::string record;   // file that tells of the run; may be empty
};

// The command line of the main job.
extern const Command kTrainCommand;

// Checks what the table alone cannot: options that contradict each other, endings, word2vec's
// switches for what acevec does not do. Options that were not given and have a value nevertheless,
// by -preset or from others, get it. Throws UsageError.
TrainSettings read_train_settings(Options& options);

// Whether an option of the command means anything beside the others.
bool has_effect(const Option& option, const Options& options);

}  // namespace acevec
