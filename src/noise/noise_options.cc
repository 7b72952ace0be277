#include "noise/noise_options.h"

#include <string>

#include "base/error.h"

namespace acevec {
namespace {

NoiseKind noise_kind(const std::string& name) {
  if (name == "unigram") return NoiseKind::kUnigram;
  if (name == "uniform") return NoiseKind::kUniform;
  if (name == "qcem") return NoiseKind::kQcem;
  return name == "entropy" ? NoiseKind::kEntropy : NoiseKind::kPower;
}

// The budget of -noise `name`, "qcem" or "entropy". What is a good one depends on how distance is
// measured; docs/experiments/noise.md says how the defaults were chosen.
Budget read_budget(const Options& options, const std::string& name, double isotropic,
                   double relative) {
  const bool is_relative = options.text(name + "-precision") == "relative";
  const double fallback = is_relative ? relative : isotropic;
  return {options.given(name + "-budget") ? options.real(name + "-budget") : fallback,
          is_relative ? Precision::kRelative : Precision::kIsotropic};
}

// "-noise-power" belongs to "power", "-qcem-budget" to "qcem".
std::string_view owner(std::string_view name) {
  return name == "noise-power" ? "power" : name.substr(0, name.find('-'));
}

// Options of another noise would be silently ignored.
void refuse_idle_noise_options(const Options& options) {
  const std::string& chosen = options.text("noise");
  for (const Option& option : kNoiseOptions) {
    if (!options.given(option.name) || belongs_to_noise(option.name, chosen)) continue;
    throw UsageError(format("-%s belongs to -noise %s, not to -noise %s; leave one out",
                            std::string(option.name).c_str(),
                            std::string(owner(option.name)).c_str(), chosen.c_str()));
  }
}

}  // namespace

bool belongs_to_noise(std::string_view name, std::string_view chosen) {
  return name == "noise" || owner(name) == chosen;
}

NoiseSettings read_noise_settings(const Options& options) {
  refuse_idle_noise_options(options);
  NoiseSettings settings;
  settings.kind = noise_kind(options.text("noise"));
  settings.power = options.real("noise-power");
  settings.qcem.budget = read_budget(options, "qcem", 0.9, 0.03);
  settings.qcem.end =
      options.text("qcem-end") == "paper" ? SmoothingEnd::kPaper : SmoothingEnd::kNeumann;
  settings.entropy = read_budget(options, "entropy", 0.001, 0.1);
  return settings;
}

}  // namespace acevec
