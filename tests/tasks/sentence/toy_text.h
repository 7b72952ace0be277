// A text whose documents have words of their own, and some that all have.
#pragma once

#include <fstream>
#include <string>

#include "base/random.h"

namespace acevec {

inline constexpr int kToyTopics = 6;

// `documents` of 8 sentences each, of topic document % kToyTopics.
inline void write_toy_text(const std::string& path, int documents) {
  std::ofstream file(path);
  Random random(5);
  for (int d = 0; d < documents; ++d) {
    for (int s = 0; s < 8; ++s) {
      for (int w = 0; w < 6; ++w) {
        const bool common = random.below(3) == 0;
        file << (common ? "w" : "t" + std::to_string(d % kToyTopics) + "_") << random.below(10)
             << ' ';
      }
      file << '\n';
    }
    file << '\n';
  }
}

}  // namespace acevec
