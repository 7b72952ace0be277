// acevec sentence's option table, and its values as settings of the trainer.
#pragma once

#include <string>

#include "cli/options.h"
#include "sentence/corpus.h"
#include "sentence/task.h"
#include "train/run_settings.h"

namespace acevec {

struct SentenceJob {
  SentenceTextSettings text;
  SentenceSettings training;
  RunSettings run;
  std::string train;
  std::string init, init_g;  // may be empty
  SentenceShape shape;
  std::string command;  // that repeats the run
  std::string record;   // file that tells of the run; may be empty
};

extern const Command kSentenceCommand;

// Checks what the table alone cannot. Throws UsageError.
SentenceJob read_sentence_job(Options& options);

}  // namespace acevec
