// Settings under a name: -preset.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options.h"

namespace acevec {

struct Preset {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> values;  // options without their dash
  int64_t least_epochs = 1;  // where the text's length decides how many
};

std::span<const Preset> presets();

// The flags that a preset stands for, "-iter 2" or "-iter 8 or more"; empty for a name that is
// none.
std::string preset_flags(std::string_view name);

// Gives options that were not given the values of the preset that -preset names, if it names one.
void apply_preset(Options& options);

// How many epochs the preset of that name has at least, for a text of any length. 1 for a name that
// is none.
int64_t least_epochs(std::string_view name);

}  // namespace acevec
