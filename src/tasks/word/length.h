// How long a text is trained, and how fast, where no options say it
// (docs/experiments/small-texts.md).
#pragma once

#include <algorithm>
#include <cstdint>

namespace acevec {

// The product of learning rate and tokens trained at which skip-gram with negative sampling and
// plain steps has learned what a short text has. With half of it words know less; with twice as
// much rare words have learned their few contexts by heart.
inline constexpr double kUsualProduct = 1.2e6;
inline constexpr double kUsualRate = 0.05;

// The learning rate for so many epochs of a text of so many tokens, both at least 1. A short run
// has a higher one, at most 0.1, and a run of more epochs than the text needs a lower one.
constexpr double default_rate(int64_t tokens, int64_t epochs) {
  const double once = kUsualProduct / static_cast<double>(tokens);  // the rate of a single epoch
  const auto times = static_cast<double>(epochs);
  return std::min(std::clamp(once / times, kUsualRate, 0.1), std::clamp(once, 0.25, 0.8) / times);
}

struct Bounds {
  int64_t least, most;
};

// Epochs for a text of so many tokens, at least 1, such that `wanted` tokens are trained.
constexpr int64_t default_epochs(int64_t tokens, double wanted, Bounds bounds) {
  const double epochs = wanted / static_cast<double>(tokens);
  if (epochs >= static_cast<double>(bounds.most)) return bounds.most;
  return std::max(static_cast<int64_t>(epochs + 0.5), bounds.least);
}

}  // namespace acevec
