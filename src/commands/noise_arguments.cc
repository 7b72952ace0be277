#include "commands/noise_arguments.h"

#include <initializer_list>

namespace acevec {
namespace {

const std::initializer_list<Named<Precision>> kPrecisions = {{"isotropic", Precision::kIsotropic},
                                                             {"relative", Precision::kRelative}};

void resolve(std::optional<double>& given, Budget& budget, double isotropic, double relative) {
  if (!given) given = budget.precision == Precision::kRelative ? relative : isotropic;
  budget.fraction = *given;
}

}  // namespace

void declare_noise(NoiseArguments& arguments, OptionTable& table) {
  NoiseSettings& noise = arguments.settings;
  const auto is = [&noise](NoiseKind kind) {
    return [&noise, kind] { return noise.kind == kind; };
  };
  table.group("Noise");
  table.choice<NoiseKind>("noise", noise.kind,
                          {{"unigram", NoiseKind::kUnigram},
                           {"power", NoiseKind::kPower},
                           {"uniform", NoiseKind::kUniform},
                           {"qcem", NoiseKind::kQcem},
                           {"entropy", NoiseKind::kEntropy}},
                          "distribution of the negatives");
  table.real("noise-power", noise.power, {0, 10}, "exponent of the counts, for -noise power")
      .need("-noise power", is(NoiseKind::kPower));
  const auto of_qcem = is(NoiseKind::kQcem);
  table
      .real("qcem-budget", arguments.qcem_budget, {0, 1},
            "squared distance of -noise qcem from unigram, relative to that of uniform: 0 is "
            "unigram, 1 uniform (default: 0.9, with relative 0.03)")
      .need("-noise qcem", of_qcem);
  table
      .choice<Precision>(
          "qcem-precision", noise.qcem.budget.precision, kPrecisions,
          "isotropic: plain squared distance; relative: divided by the unigram probability")
      .need("-noise qcem", of_qcem);
  table
      .choice<SmoothingEnd>(
          "qcem-end", noise.qcem.end,
          {{"neumann", SmoothingEnd::kNeumann}, {"paper", SmoothingEnd::kPaper}},
          "neumann: smooth the differences of neighbours; paper: also the lowest probability")
      .need("-noise qcem", of_qcem);
  const auto of_entropy = is(NoiseKind::kEntropy);
  table
      .real("entropy-budget", arguments.entropy_budget, {0, 1},
            "like -qcem-budget, for -noise entropy (default: 0.1, with isotropic 0.001)")
      .need("-noise entropy", of_entropy);
  table
      .choice<Precision>("entropy-precision", noise.entropy.precision, kPrecisions,
                         "like -qcem-precision, for -noise entropy")
      .need("-noise entropy", of_entropy);
}

void resolve_noise(NoiseArguments& arguments) {
  NoiseSettings& noise = arguments.settings;
  if (noise.kind == NoiseKind::kQcem) {
    resolve(arguments.qcem_budget, noise.qcem.budget, 0.9, 0.03);
  }
  if (noise.kind == NoiseKind::kEntropy) {
    resolve(arguments.entropy_budget, noise.entropy, 0.001, 0.1);
  }
}

}  // namespace acevec
