// The options that choose the noise distribution, for every command that has them.
#pragma once

#include <string_view>

#include "cli/options.h"
#include "noise/noise.h"

namespace acevec {

inline constexpr std::string_view kNoiseGroup = "Noise";

// Rows for a command's table.
inline constexpr Option kNoiseOptions[] = {
    choice(kNoiseGroup, "noise", "unigram|power|uniform|qcem|entropy", "power",
           "distribution of the negatives"),
    real(kNoiseGroup, "noise-power", "0.75", 0, 10, "exponent of the counts, for -noise power"),
    real(kNoiseGroup, "qcem-budget", "", 0, 1,
         "squared distance of -noise qcem from unigram, relative to that of uniform: 0 is unigram, "
         "1 uniform (default: 0.9, with relative 0.03)"),
    choice(kNoiseGroup, "qcem-precision", "isotropic|relative", "isotropic",
           "isotropic: plain squared distance; relative: divided by the unigram probability"),
    choice(kNoiseGroup, "qcem-end", "neumann|paper", "neumann",
           "neumann: smooth the differences of neighbours; paper: also the lowest probability"),
    real(kNoiseGroup, "entropy-budget", "", 0, 1,
         "like -qcem-budget, for -noise entropy (default: 0.1, with isotropic 0.001)"),
    choice(kNoiseGroup, "entropy-precision", "isotropic|relative", "relative",
           "like -qcem-precision, for -noise entropy"),
};

// Whether the option `name` means anything when -noise is `chosen`.
bool belongs_to_noise(std::string_view name, std::string_view chosen);

// Their values. Throws UsageError when one belongs to another -noise than the one chosen.
NoiseSettings read_noise_settings(const Options& options);

}  // namespace acevec
