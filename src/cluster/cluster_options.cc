#include "cluster/cluster_options.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "base/version.h"
#include "cluster/collectives.h"

namespace acevec {
namespace {

// An average of N changes is an N-th of what they are together, and higher rates make up for it, as
// far as a process by itself learns well with them (docs/experiments/cluster.md).
double usual_rate_times(Combine how, int processes) {
  if (how == Combine::kAverage) return std::min(processes, 8);
  return how == Combine::kScaled ? std::clamp(std::sqrt(processes), 2.0, 4.0) : 1;
}

// How many times as long as 8 processes fewer may go without each other: as far apart as they come
// is what all of them have learned alone.
double patience_of(int processes) {
  return std::clamp(8.0 / processes, 1.0, 4.0);
}

}  // namespace

ExchangeSettings read_exchange_settings(const Options& options, int processes) {
  ExchangeSettings settings;
  const double patience = patience_of(processes);
  const auto every = static_cast<int64_t>(10000 * patience);
  settings.every = (options.given("exchange-every") ? options.integer("exchange-every") : every) *
                   options.integer("threads");
  settings.changes =
      options.given("exchange-changes") ? options.real("exchange-changes") : 20 * patience;
  settings.times_in_epoch = processes > 2 ? 4 : 1;  // rare words of more processes need it
  settings.combine = chosen<Combine>(options, "exchange-combine",
                                     {{"average", Combine::kAverage},
                                      {"sum", Combine::kSum},
                                      {"projection", Combine::kProjection},
                                      {"scaled", Combine::kScaled}});
  settings.rate_times = options.given("exchange-alpha")
                            ? options.real("exchange-alpha")
                            : usual_rate_times(settings.combine, processes);
  settings.wire = chosen<Wire>(options, "exchange-numbers",
                               {{"float", Wire::kFloat}, {"bfloat16", Wire::kBfloat16}});
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
