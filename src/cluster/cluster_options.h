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
            "tokens that each thread trains between two exchanges, at least a chunk of about 6000 "
            "(default: 10000; with 4 processes 20000, with 2 40000)"),
    real(kCluster, "exchange-changes", "", 0, 1e9,
         "exchange a word's row after it occurred about X times in a process (default: 20; with 4 "
         "processes 40, with 2 80)"),
    choice(kCluster, "exchange-combine", "average|sum|projection|scaled", "scaled",
           "how to combine changes of a row by several processes; scaled: their sum, reduced where "
           "they agree"),
    real(kCluster, "exchange-alpha", "", 0.01, 1000,
         "learning rate of each process, as a multiple of -alpha (default: the square root of "
         "their number, 2 to 4; with average their number, at most 8; with sum and projection 1)"),
    choice(kCluster, "exchange-numbers", "float|bfloat16", "float",
           "type of the numbers that are sent; bfloat16: half the bytes"),
};

// For so many processes.
ExchangeSettings read_exchange_settings(const Options& options, int processes);

// What all processes must agree on before anything is read: the version, and the options, which
// come as a checkpoint has them. Throws Error, and UsageError where an option needs a process that
// is alone.
void require_one_job(const std::vector<std::string>& arguments, Peers& peers);

}  // namespace acevec
