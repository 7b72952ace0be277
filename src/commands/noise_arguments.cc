#include "commands/noise_arguments.h"

namespace acevec {
namespace {

bool has_budget(const NoiseSettings& noise) {
  return noise.kind == NoiseKind::kQcem || noise.kind == NoiseKind::kEntropy;
}

}  // namespace

void declare_noise(NoiseSettings& noise, OptionTable& table) {
  table.group("Noise");
  table.choice<NoiseKind>("noise", noise.kind,
                          {{"unigram", NoiseKind::kUnigram},
                           {"power", NoiseKind::kPower},
                           {"uniform", NoiseKind::kUniform},
                           {"qcem", NoiseKind::kQcem},
                           {"entropy", NoiseKind::kEntropy}},
                          "distribution of the negatives");
  table.real("noise-power", noise.power, {0, 10}, "exponent of the counts, for -noise power")
      .need("-noise power", [&noise] { return noise.kind == NoiseKind::kPower; });
  const auto solved =
      table.all_need("-noise qcem or entropy", [&noise] { return has_budget(noise); });
  table.real("noise-budget", noise.budget, {0, 1},
             "squared distance of qcem and entropy from unigram, relative to that of uniform: 0 is "
             "unigram, 1 uniform (default: qcem 0.9, relative 0.03; entropy 0.1, isotropic 0.001)");
  table.choice<Precision>(
      "noise-precision", noise.precision,
      {{"isotropic", Precision::kIsotropic}, {"relative", Precision::kRelative}},
      "isotropic: plain squared distance; relative: divided by the unigram probability (default: "
      "qcem isotropic, entropy relative)");
}

void resolve_noise(NoiseSettings& noise) {
  if (!has_budget(noise)) return;
  const Budget budget = budget_of(noise);
  noise.budget = budget.fraction;
  noise.precision = budget.precision;
}

}  // namespace acevec
