// The options of acevec metric.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "commands/run_arguments.h"
#include "tasks/metric/job.h"

namespace acevec {

struct MetricArguments : MetricJobSettings {
  MetricAdversarySettings adversary;

  bool evaluates() const { return !valid.empty() || heldout > 0; }
};

// Declares the rows; `run` has those that every training command has.
void declare_metric(MetricArguments& arguments, RunArguments& run, OptionTable& table);

// Values that follow from others, and contradictions. Throws UsageError.
void resolve_metric(MetricArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
