// acevec order's option table, and its values as the trainer wants them.
#pragma once

#include <string>

#include "cli/options.h"
#include "order/split.h"
#include "order/task.h"
#include "train/run_settings.h"

namespace acevec {

// Whether what follows from the pairs is learned from.
enum class Closure { kAuto, kGiven, kClosed };

enum class OrderStart { kAuto, kRandom, kNested };

struct OrderJob {
  OrderSettings training;
  RunSettings run;
  std::string train;
  SplitKind split = SplitKind::kHonest;
  Closure closure{};
  OrderStart start{};
  bool mask_noise_given = false, ace_negative_given = false;
  int64_t held_out = 4000;  // at most; pairs for development, and as many for the test
  int64_t ranked = 1000;    // concepts of the test whose generals are ranked at the end
  std::string command;      // that repeats the run
  std::string record;       // file that tells of the run; may be empty
};

extern const Command kOrderCommand;

// What a step needs to know. The option table is where its defaults stand.
OrderSettings read_order_settings(const Options& options);

// Checks what the table alone cannot. Throws UsageError.
OrderJob read_order_job(Options& options);

// Whether an option means anything beside the others.
bool has_order_effect(const Option& option, const Options& options);

}  // namespace acevec
