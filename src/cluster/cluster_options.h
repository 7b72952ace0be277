// The options of a run in several processes, and their values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cluster/peers.h"
#include "cluster/row_exchange.h"

namespace acevec {

inline constexpr std::string_view kCluster = "Several processes (under mpirun)";

// Rows for a command's table.
inline constexpr Option kClusterOptions[] = {
    integer(kCluster, "exchange-every", "", 1, kMaxCount,
            "tokens that each thread of a process trains from one exchange to the next (default: "
            "10000; 20000 of 4 processes, 40000 of 2)"),
    real(kCluster, "exchange-changes", "", 0, 1e9,
         "a word is exchanged when it has come up about so often in a process: rare ones rarely "
         "(default: 20; 40 of 4 processes, 80 of 2)"),
    choice(kCluster, "exchange-combine", "average|sum|projection|scaled", "scaled",
           "how changes of a row by several processes become one; scaled: their sum, less where "
           "they agree"),
    real(kCluster, "exchange-alpha", "", 0.01, 1000,
         "so many times -alpha is the rate of each process (default: the root of their number, 2 "
         "to 4; with average their number, at most 8; with sum and projection 1)"),
    choice(kCluster, "exchange-numbers", "float|bfloat16", "float",
           "what numbers are sent as; bfloat16: half the bytes"),
};

// For so many processes.
ExchangeSettings read_exchange_settings(const Options& options, int processes);

// What all processes must agree on before anything is read: the version, and the options, which
// come as a checkpoint has them. Throws Error, and UsageError where an option needs a process that
// is alone.
void require_one_job(const std::vector<std::string>& arguments, Peers& peers);

}  // namespace acevec
