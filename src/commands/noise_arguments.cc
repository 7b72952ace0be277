#include "commands/noise_arguments.h"

namespace acevec {

void declare_noise(NoiseSettings& noise, OptionTable& table) {
  table.group("Noise");
  table.choice<NoiseKind>("noise", noise.kind,
                          {{"unigram", NoiseKind::kUnigram},
                           {"power", NoiseKind::kPower},
                           {"uniform", NoiseKind::kUniform},
                           {"qcem", NoiseKind::kQcem},
                           {"qcem-relative", NoiseKind::kQcemRelative},
                           {"entropy", NoiseKind::kEntropy},
                           {"entropy-isotropic", NoiseKind::kEntropyIsotropic}},
                          "distribution of the negatives; relative and isotropic: another distance "
                          "than that of qcem and entropy");
  table.real("noise-power", noise.power, {0, 10}, "exponent of the counts, for -noise power")
      .need("-noise power", [&noise] { return noise.kind == NoiseKind::kPower; });
  table
      .real("noise-budget", noise.budget, {0, 1},
            "squared distance of qcem and entropy from unigram, relative to that of uniform: 0 is "
            "unigram, 1 uniform (default: qcem 0.9, qcem-relative 0.03; entropy 0.1, "
            "entropy-isotropic 0.001)")
      .need("-noise qcem or entropy", [&noise] { return usual_budget(noise.kind).has_value(); });
}

void resolve_noise(NoiseSettings& noise) {
  const std::optional<Budget> usual = usual_budget(noise.kind);
  if (usual && !noise.budget) noise.budget = usual->fraction;
}

}  // namespace acevec
