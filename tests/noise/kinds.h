// Every noise, for tests that new ones are to pass too.
#pragma once

#include <stdexcept>
#include <vector>

#include "noise/noise.h"

namespace acevec {

// The kinds that have a distribution: they are numbered from 0 without gaps.
inline std::vector<NoiseKind> every_noise() {
  std::vector<NoiseKind> kinds;
  try {
    for (int i = 0;; ++i) {
      const auto kind = static_cast<NoiseKind>(i);
      noise_distribution({.kind = kind}, {1});
      kinds.push_back(kind);
    }
  } catch (const std::logic_error&) {  // refuse_case()
    return kinds;
  }
}

}  // namespace acevec
