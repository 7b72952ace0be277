// The options that choose the noise distribution, for every command that has them.
#pragma once

#include <string_view>

#include "base/options.h"
#include "noise/noise.h"

namespace acevec {

inline constexpr std::string_view kNoiseGroup = "Noise";

// Rows for a command's table.
inline constexpr Option kNoiseOptions[] = {
    choice(kNoiseGroup, "noise", "unigram|power|uniform|qcem|entropy", "power",
           "distribution that negatives are drawn from"),
    real(kNoiseGroup, "noise-power", "0.75", 0, 10, "exponent of the counts for -noise power"),
    real(
        kNoiseGroup, "qcem-budget", "0.5", 0, 1,
        "how far -noise qcem may go from unigram (0), as a part of the squared distance of uniform "
        "(1)"),
    choice(
        kNoiseGroup, "qcem-precision", "isotropic|relative", "isotropic",
        "isotropic: the distance is that of the probabilities; relative: chi-squared, divided by "
        "the unigram probability"),
    choice(kNoiseGroup, "qcem-end", "neumann|paper", "neumann",
           "neumann: smooth differences of neighbours only; paper: also the lowest probability "
           "itself, as published"),
    real(kNoiseGroup, "entropy-budget", "0.5", 0, 1, "like -qcem-budget, for -noise entropy"),
    choice(kNoiseGroup, "entropy-precision", "isotropic|relative", "isotropic",
           "like -qcem-precision, for -noise entropy"),
};

// Their values. Throws UsageError when one belongs to another -noise than the one chosen.
NoiseSettings read_noise_settings(const Options& options);

}  // namespace acevec
