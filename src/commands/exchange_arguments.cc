#include "commands/exchange_arguments.h"

#include <algorithm>

#include "base/error.h"

namespace acevec {
namespace {

// Combined changes are shortened, and higher rates make up for it, as far as a process by itself
// learns well with them (docs/experiments/cluster.md).
double usual_rate_times(int processes) {
  return std::clamp(1 + processes / 2.0, 2.0, 4.0);
}

// Returns how many times as long as 8 processes fewer ones may go without an exchange: they drift
// apart by what all of them have learned alone. Measured with 2, 4 and 8
// (docs/experiments/cluster.md).
double patience_of(int processes) {
  return std::clamp(64.0 / processes / processes, 1.0, 8.0);
}

}  // namespace

void declare_exchange(ExchangeArguments& arguments, OptionTable& table) {
  table.group("Several processes (under mpirun)");
  const auto several =
      table.all_need("several processes (mpirun)", [] { return peers().count() > 1; });
  table
      .integer("exchange-every", arguments.every, {1, kMaxCount},
               "tokens that each thread trains between two exchanges, at least a chunk of about "
               "6000; a word's row is exchanged after it occurred about N / 500 times in a process")
      .default_later("10000; 40000 with 4 processes; 80000 with 2");
  table
      .real("exchange-alpha", arguments.rate_times, {0.01, 1000},
            "learning rate of each process, as a multiple of -alpha")
      .default_later("1 + half of their number, 2 to 4");
}

ExchangeSettings exchange_settings(const ExchangeArguments& arguments, int processes, int threads) {
  const double patience = patience_of(processes);
  ExchangeSettings settings;
  const int64_t every = arguments.every.value_or(static_cast<int64_t>(10000 * patience));
  settings.every = std::min(every, static_cast<int64_t>(kMaxCount) / threads) * threads;
  settings.changes = static_cast<double>(every) / 500;
  settings.times_in_epoch = processes > 2 ? 4 : 1;  // rare words of more processes need it
  settings.rate_times = arguments.rate_times.value_or(usual_rate_times(processes));
  return settings;
}

void require_one_job(const std::vector<std::string>& arguments, Peers& peers) {
  if (peers.count() == 1) return;
  std::string job = version();
  for (const std::string& argument : arguments) {
    if (argument.ends_with("=-") && argument != "-output=-") {
      throw UsageError(format("%d processes cannot share standard input; give %s a file",
                              peers.count(), argument.substr(0, argument.size() - 2).c_str()));
    }
    job += "\n" + argument;
  }
  require_same(peers, job, "another version of acevec or other options");
}

}  // namespace acevec
