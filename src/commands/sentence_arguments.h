// The options of acevec sentence.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.h"
#include "commands/run_arguments.h"
#include "commands/text_arguments.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/job.h"
#include "tasks/sentence/mean_job.h"

namespace acevec {

struct SentenceArguments : SentenceJobSettings {
  std::optional<EncoderKind> encoder;  // to be trained; none: a mean of given vectors
  bool search = true;                  // of means: for search, not for features
  std::string read_vocab;              // of means: words and counts instead of a text
  TextArguments text;
  bool split = false;  // a line is a paragraph, not a sentence
  bool ace = false;
  SentenceAdversarySettings adversary;

  bool trains() const { return encoder.has_value(); }
  MeanJobSettings mean_job() const;
  SentenceTextSettings text_settings() const {
    return {text.format, shape.mode, split, text.min_count, text.max_vocab};
  }
};

// Declares the rows; `run` has those that every training command has.
void declare_sentences(SentenceArguments& arguments, RunArguments& run, OptionTable& table);

// Values that follow from others, where they are not given, and contradictions. Throws UsageError.
void resolve_sentences(SentenceArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
