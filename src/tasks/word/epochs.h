// How many epochs a text needs.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acevec {

inline constexpr int64_t kUsualEpochs = 5;

// Epochs for a text of so many tokens, at least 1, where none are given: enough to train on about
// 50 M tokens, from kUsualEpochs to 50 (docs/experiments/small-texts.md).
constexpr int64_t default_epochs(int64_t tokens) {
  constexpr int64_t kMost = 50;
  constexpr int64_t kTokens = 50'000'000;
  return std::clamp((kTokens + tokens / 2) / tokens, kUsualEpochs, kMost);
}

}  // namespace acevec
