// acevec order's option table, and its values as settings of the trainer.
#pragma once

#include <string>

#include "cli/options.h"
#include "order/split.h"
#include "order/task.h"
#include "train/run_settings.h"

namespace acevec {

// Whether what follows from the pairs is learned from.
enum class Closure { kAuto, kGiven, kClosed };

struct OrderJob {
  OrderSettings training;
  RunSettings run;
  std::string train;
  SplitKind split = SplitKind::kHonest;
  Closure closure{};
  int64_t held_out = 4000;  // at most; pairs for development, and as many for the test
  int64_t ranked = 1000;    // concepts of the test whose generals are ranked at the end
  std::string command;      // that repeats the run
  std::string record;       // file that tells of the run; may be empty
};

extern const Command kOrderCommand;

// What a step needs to know. The option table is where its defaults stand.
OrderSettings read_order_settings(const Options& options);

// Other defaults, for pairs from which others follow that are not learned from: vectors start
// nested, and steps are small. No negative is what follows, and hard ones are few: with one for
// each pair vectors of 10 coordinates lose 3 of 86 points of F1 on what follows
// (docs/experiments/order.md).
void assume_open_pairs(Options& options);

// Checks what the table alone cannot. Throws UsageError.
OrderJob read_order_job(Options& options);

// Whether an option means anything beside the others.
bool has_order_effect(const Option& option, const Options& options);

}  // namespace acevec
