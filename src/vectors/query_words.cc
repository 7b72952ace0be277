#include "vectors/query_words.h"

#include <cstdio>
#include <iostream>

#include "base/spelling.h"

namespace acevec {

std::vector<std::string> query_words(const Options& options) {
  std::vector<std::string> words(options.positional().begin() + 1, options.positional().end());
  if (!words.empty()) return words;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) words.push_back(line);
  }
  return words;
}

void report_unknown(const std::string& word, const std::vector<std::string>& words) {
  std::string near;
  for (const std::string& candidate : near_spellings(word, words, 3)) {
    near += (near.empty() ? "; near: " : ", ") + candidate;
  }
  std::fprintf(stderr, "acevec: no vector for \"%s\"%s\n", word.c_str(), near.c_str());
}

}  // namespace acevec
