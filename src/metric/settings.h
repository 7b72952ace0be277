// acevec metric's option table, and its values as settings of the trainer.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "metric/task.h"
#include "train/run_settings.h"

namespace acevec {

struct MetricJob {
  MetricSettings training;
  RunSettings run;
  EncoderShape shape;  // inputs are the points' to say
  std::string train, labels;
  std::string valid, valid_labels;  // may be empty
  std::string test, test_labels;    // may be empty
  double heldout = 0;               // share of the training points
  int64_t report_every = 1;         // epochs between evaluations
  std::string triplets;             // may be empty
  std::string command;              // that repeats the run
  std::string record;               // file that tells of the run; may be empty
};

extern const Command kMetricCommand;

// What a step needs to know. The option table is where its defaults stand.
MetricSettings read_metric_settings(const Options& options);

// Checks what the table alone cannot. Throws UsageError.
MetricJob read_metric_job(Options& options);

}  // namespace acevec
