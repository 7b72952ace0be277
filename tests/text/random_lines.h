// Texts for tests, and what is read of files.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "text/source.h"

namespace acevec {

inline std::string random_lines(uint64_t seed, int lines) {
  Random random(seed);
  std::string text;
  for (int line = 0; line < lines; ++line) {
    for (uint32_t n = random.below(20); n > 0; --n) {
      text += "w" + std::to_string(random.below(1 + random.below(1 + random.below(5000)))) + " ";
    }
    text += '\n';
  }
  return text;
}

inline std::string read_all(const std::vector<FilePart>& files) {
  Source source(files, TextFormat::kText);
  std::string text(1 << 24, '\0');
  text.resize(source.read(text.data(), text.size()));
  return text;
}

}  // namespace acevec
