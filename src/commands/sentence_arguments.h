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
#include "tasks/sentence/pair_job.h"

namespace acevec {

struct SentenceArguments : SentenceJobSettings {
  std::optional<EncoderKind> encoder;  // to be trained; none: a mean of given vectors
  // Files; with one of them a bag is trained, whatever `encoder` says.
  std::vector<std::string> pairs, labels;
  PairSettings pair_training;
  bool search = true;      // of means: for search, not for features
  std::string read_vocab;  // of means: words and counts instead of a text
  TextArguments text;
  bool split = false;  // a line is a paragraph, not a sentence
  bool ace = false;
  SentenceAdversarySettings adversary;

  // What the command does: learn from pairs of texts or of a text and labels, from neighbours, or
  // average vectors.
  bool learns_labels() const { return !labels.empty(); }
  bool learns_pairs() const { return !pairs.empty() || learns_labels(); }
  bool learns_neighbours() const { return !learns_pairs() && encoder.has_value(); }
  bool trains() const { return learns_pairs() || learns_neighbours(); }
  PairJobSettings pair_job() const {
    return {learns_labels() ? labels : pairs,
            learns_labels(),
            init,
            read_vocab,
            shape.mode,
            shape.size,
            pair_training};
  }
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
