// The options of acevec metric.
#pragma once

#include "cli/command_line.h"
#include "commands/run_arguments.h"
#include "tasks/metric/job.h"

namespace acevec {

// Declares the rows; `run` has those that every training command has.
void declare_metric(MetricJobSettings& arguments, RunArguments& run, OptionTable& table);

// Values that follow from others, and contradictions. Throws UsageError.
void resolve_metric(MetricJobSettings& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
