#include "word/presets.h"

#include <algorithm>

#include "base/error.h"

namespace acevec {
namespace {

// docs/tuning.md has the measurements behind "fast" and "best"; "paper" is the setting of the word
// embeddings in ACE's paper (Bose, Ling and Cao 2018, section 5.1), as eval/papers/ace.py has it.
const Preset kPresets[] = {
    {"paper",
     {{"window", "10"},
      {"max-vocab", "150000"},
      {"negative", "6"},
      {"optimizer", "adam"},
      {"min-alpha", "0.001"},
      {"iter", "1"},
      {"ace", "1"},
      {"ace-sampler", "learned"},
      {"ace-force", "0"},
      {"ace-lambda", "0.8333"},
      {"ace-beta", "0.6"}}},
    {"fast", {{"iter", "2"}}},
    {"best", {}, 8},
};

const Preset* find_preset(std::string_view name) {
  const auto* preset = std::find_if(std::begin(kPresets), std::end(kPresets),
                                    [&](const Preset& one) { return one.name == name; });
  return preset == std::end(kPresets) ? nullptr : preset;
}

}  // namespace

std::span<const Preset> presets() {
  return kPresets;
}

std::string preset_flags(std::string_view name) {
  const Preset* preset = find_preset(name);
  std::string flags;
  if (preset == nullptr) return flags;
  for (const auto& [option, value] : preset->values) {
    if (!flags.empty()) flags += ' ';
    flags += "-" + std::string(option) + " " + std::string(value);
  }
  if (preset->least_epochs > 1) {
    flags += format("-iter %ld or more", static_cast<long>(preset->least_epochs));
  }
  return flags;
}

void apply_preset(Options& options) {
  const Preset* preset = find_preset(options.text("preset"));
  if (preset == nullptr) return;
  for (const auto& [option, value] : preset->values) options.assume(option, value);
}

int64_t least_epochs(std::string_view name) {
  const Preset* preset = find_preset(name);
  return preset == nullptr ? 1 : preset->least_epochs;
}

}  // namespace acevec
