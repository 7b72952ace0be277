// acevec order's option table, and its values as the trainer wants them.
#pragma once

#include <string>

#include "cli/options.h"
#include "order/split.h"
#include "order/trainer.h"
#include "vectors/format.h"

namespace acevec {

struct OrderJob {
  OrderSettings training;
  std::string train;
  std::string output;
  std::string log;  // may be empty
  VectorFormat format = VectorFormat::kText;
  SplitKind split = SplitKind::kHonest;
  int64_t held_out = 4000;  // at most; pairs for development, and as many for the test
  int64_t ranked = 1000;    // concepts of the test whose generals are ranked at the end
  int debug = 1;
};

extern const Command kOrderCommand;

// Checks what the table alone cannot. Throws UsageError.
OrderJob read_order_job(const Options& options);

}  // namespace acevec
