#include "noise/noise_options.h"

#include <string>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

constexpr std::pair<std::string_view, NoiseKind> kKinds[] = {
    {"unigram", NoiseKind::kUnigram}, {"power", NoiseKind::kPower},
    {"uniform", NoiseKind::kUniform}, {"qcem", NoiseKind::kQcem},
    {"entropy", NoiseKind::kEntropy},
};

constexpr std::pair<std::string_view, Precision> kPrecisions[] = {
    {"isotropic", Precision::kIsotropic}, {"relative", Precision::kRelative}};

constexpr std::pair<std::string_view, SmoothingEnd> kEnds[] = {{"neumann", SmoothingEnd::kNeumann},
                                                               {"paper", SmoothingEnd::kPaper}};

// The budget of -noise `name`, "qcem" or "entropy". What is a good one depends on how distance is
// measured; docs/experiments/noise.md says how the defaults were chosen.
Budget read_budget(const Options& options, const std::string& name, double isotropic,
                   double relative) {
  const Precision precision = chosen(options, name + "-precision", kPrecisions);
  const double fallback = precision == Precision::kRelative ? relative : isotropic;
  return {options.given(name + "-budget") ? options.real(name + "-budget") : fallback, precision};
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
  settings.kind = chosen(options, "noise", kKinds);
  settings.power = options.real("noise-power");
  settings.qcem.budget = read_budget(options, "qcem", 0.9, 0.03);
  settings.qcem.end = chosen(options, "qcem-end", kEnds);
  settings.entropy = read_budget(options, "entropy", 0.001, 0.1);
  return settings;
}

}  // namespace acevec
