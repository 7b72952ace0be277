// The options of acevec order.
#pragma once

#include "cli/command_line.h"
#include "commands/run_arguments.h"
#include "tasks/order/job.h"

namespace acevec {

struct OrderArguments : OrderJobSettings {
  int64_t report_every = 200;  // batches between evaluations
  bool ace = false;
  OrderAdversarySettings adversary;

  bool cones() const { return training.geometry == Geometry::kCone; }
};

// Declares the rows; `run` has those that every training command has.
void declare_order(OrderArguments& arguments, RunArguments& run, OptionTable& table);

// Values that follow from others, where they are not given, and contradictions. Throws UsageError.
void resolve_order(OrderArguments& arguments, RunArguments& run, CommandLine& command);

// To be called after resolve_order() when pairs are not learned from that others imply: there are
// other defaults then. Steps are small. No negative is what follows, and
// hard ones are few: with one for each pair vectors of 10 coordinates lose 3 of 86 points of F1 on
// what follows (docs/experiments/order.md).
void resolve_open_pairs(OrderArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
