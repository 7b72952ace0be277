// How long and how fast to train, where the loss is a softmax over entities and nothing is given.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace acevec {

inline constexpr int64_t kUsualGraphEpochs = 24;

// Epochs for a graph of so many training triples, at least 1, where none are given: enough to learn
// from about 3 M triples, from kUsualGraphEpochs to 48 (docs/experiments/kg.md).
constexpr int64_t default_graph_epochs(int64_t triples) {
  constexpr int64_t kMost = 48;
  constexpr int64_t kTriples = 3'000'000;
  return std::clamp(kTriples / triples, kUsualGraphEpochs, kMost);
}

// The learning rate at the start for vectors of so many numbers, to two digits behind the point.
// Adagrad's first step moves every number by the rate, and a score is then a sum of `size` products
// of three such numbers. The rate keeps size · rate³ at what it is with 256 numbers, or below.
inline double default_graph_rate(int64_t size) {
  constexpr double kUsual = 0.4;
  constexpr double kUsualSize = 256;
  const double less = std::cbrt(std::min(kUsualSize / static_cast<double>(size), 1.0));
  return std::round(100 * kUsual * less) / 100;
}

// The same where the score is a distance, a sum of `size` numbers that Adagrad's first step moves
// by the rate each; to three digits (docs/experiments/kg.md, "Softmax of distances").
inline double default_distance_rate(int64_t size) {
  return std::round(1000 * 0.5 / std::sqrt(static_cast<double>(size))) / 1000;
}

}  // namespace acevec
