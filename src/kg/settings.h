// acevec kg's option table, and its values as settings of the trainer.
#pragma once

#include <string>

#include "cli/options.h"
#include "kg/task.h"
#include "train/run_settings.h"

namespace acevec {

struct KgJob {
  KgSettings training;
  RunSettings run;
  ScoreKind score = ScoreKind::kTransD;
  Norm norm = Norm::kL1;
  int64_t size = 50;
  bool reciprocal = false;
  std::string train, valid, test;  // valid and test may be empty
  std::string output_entities;     // may be empty
  std::string output_relations;    // may be empty
  int64_t report_every = 20;       // epochs between evaluations
  std::string command;             // that repeats the run
  std::string record;              // file that tells of the run; may be empty
};

extern const Command kKgCommand;

// Gives options of the score and of the loss, where they are not given, the values that suit these.
void assume_by_score(Options& options);

// What a step needs to know. The option table is where its defaults stand.
KgSettings read_kg_settings(const Options& options);

// Checks what the table alone cannot. Throws UsageError.
KgJob read_kg_job(Options& options);

// Whether an option means anything beside the others.
bool has_kg_effect(const Option& option, const Options& options);

}  // namespace acevec
