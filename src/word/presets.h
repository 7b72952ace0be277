// Settings under a name: -preset.
#pragma once

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
};

std::span<const Preset> presets();

// The flags that a preset stands for, "-iter 2"; empty for a name that is none.
std::string preset_flags(std::string_view name);

// Gives options that were not given the values of the preset that -preset names, if it names one.
void apply_preset(Options& options);

}  // namespace acevec
