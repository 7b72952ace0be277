// The options of a run in several processes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/option_table.h"
#include "cluster/peers.h"
#include "cluster/row_exchange.h"

namespace acevec {

struct ExchangeArguments {
  std::optional<int64_t> every;  // tokens of a thread
  std::optional<double> rate_times;
};

void declare_exchange(ExchangeArguments& arguments, OptionTable& table);

// The settings for `processes` processes with `threads` threads each.
ExchangeSettings exchange_settings(const ExchangeArguments& arguments, int processes, int threads);

// Checks, before anything is read, that all processes have the same version and options
// (`arguments`, as in a checkpoint). Throws Error, and UsageError for an option that needs a single
// process.
void require_one_job(const std::vector<std::string>& arguments, Peers& peers);

}  // namespace acevec
