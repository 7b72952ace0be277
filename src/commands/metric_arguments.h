// The options of acevec metric.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "commands/run_arguments.h"
#include "tasks/metric/encoder.h"
#include "tasks/metric/task.h"

namespace acevec {

struct MetricArguments {
  std::string train, labels;
  std::string valid, valid_labels;  // may be empty
  std::string test, test_labels;    // may be empty
  std::string triplets;             // may be empty
  double heldout = 0;               // share of the training points
  EncoderShape shape;               // inputs are the points' to say
  MetricAdversarySettings adversary;
  MetricSettings training;

  bool evaluates() const { return !valid.empty() || heldout > 0; }
};

// Declares the rows; `run` has those that every training command has.
void declare_metric(MetricArguments& arguments, RunArguments& run, OptionTable& table);

// Values that follow from others, and contradictions. Throws UsageError.
void resolve_metric(MetricArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
