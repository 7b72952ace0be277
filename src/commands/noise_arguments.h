// The options that choose the noise distribution, for every command that has them.
#pragma once

#include <optional>

#include "cli/option_table.h"
#include "noise/noise.h"

namespace acevec {

struct NoiseArguments {
  NoiseSettings settings;
  std::optional<double> qcem_budget;     // as of the precision
  std::optional<double> entropy_budget;  // likewise
};

void declare_noise(NoiseArguments& arguments, OptionTable& table);

// Budgets that are not given. What is a good one depends on how distance is measured;
// docs/experiments/noise.md says how the defaults were chosen.
void resolve_noise(NoiseArguments& arguments);

}  // namespace acevec
