// The options that choose the noise distribution, for every command that has them.
#pragma once

#include "cli/option_table.h"
#include "noise/noise.h"

namespace acevec {

void declare_noise(NoiseSettings& noise, OptionTable& table);

// The budget and the precision, where they are not given.
void resolve_noise(NoiseSettings& noise);

}  // namespace acevec
