// How many epochs a graph needs, where the loss is a softmax over entities.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acevec {

inline constexpr int64_t kUsualGraphEpochs = 16;

// Epochs for a graph of so many training triples, at least 1, where none are given: enough to learn
// from about 3 M triples, from kUsualGraphEpochs to 48 (docs/experiments/kg.md).
constexpr int64_t default_graph_epochs(int64_t triples) {
  constexpr int64_t kMost = 48;
  constexpr int64_t kTriples = 3'000'000;
  return std::clamp(kTriples / triples, kUsualGraphEpochs, kMost);
}

}  // namespace acevec
