// What ties a checkpoint to its run: the command line, and the text that was read.
#pragma once

#include "base/checkpoint_file.h"
#include "cli/options.h"
#include "text/corpus.h"
#include "word/initial.h"

namespace acevec {

// The first part of a file: every option of the run that was given.
void save_options(const Options& options, CheckpointWriter& file);

// The options of the run that goes on: those that the checkpoint holds, with those of `typed` in
// their place, which beside -resume may only name what does not change the run. What was saved
// once is saved to the same file again, unless `typed` has another. Throws UsageError.
Options resumed_options(const Options& typed, CheckpointReader& file);

// The second part: what tells whether a run goes on with the same text, vocabulary and start.
// `initial`: what start_from() left there.
void save_identity(const Corpus& corpus, const InitialVectors& initial, CheckpointWriter& file);

// Throws Error when these are others.
void check_identity(const Corpus& corpus, const InitialVectors& initial, CheckpointReader& file);

}  // namespace acevec
