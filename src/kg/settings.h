// acevec kg's option table, and its values as the trainer wants them.
#pragma once

#include <string>

#include "cli/options.h"
#include "kg/trainer.h"

namespace acevec {

struct KgJob {
  KgSettings training;
  ScoreKind score = ScoreKind::kTransD;
  Norm norm = Norm::kL1;
  int64_t size = 50;
  std::string train, valid, test;  // valid and test may be empty
  std::string output;
  std::string output_entities;  // may be empty
  std::string log;              // may be empty
  int64_t patience = 0;         // looks without a better one after which training ends; 0: never
  int debug = 1;
};

extern const Command kKgCommand;

// Checks what the table alone cannot. Throws UsageError.
KgJob read_kg_job(const Options& options);

}  // namespace acevec
