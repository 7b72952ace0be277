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

// The settings for so many processes of so many threads.
ExchangeSettings exchange_settings(const ExchangeArguments& arguments, int processes, int threads);

// What all processes must agree on before anything is read: the version, and the options, which
// come as a checkpoint has them. Throws Error, and UsageError where an option needs a process that
// is alone.
void require_one_job(const std::vector<std::string>& arguments, Peers& peers);

}  // namespace acevec
