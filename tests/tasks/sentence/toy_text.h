// A text whose documents have words of their own, and some that all have.
#pragma once

#include <string>

#include "base/random.h"
#include "tasks/sentence/corpus.h"

namespace acevec {

inline constexpr int kToyTopics = 6;

// `documents` of 8 sentences each, of topic document % kToyTopics.
inline std::string toy_text(int documents) {
  std::string text;
  Random random(5);
  for (int d = 0; d < documents; ++d) {
    for (int s = 0; s < 8; ++s) {
      for (int w = 0; w < 6; ++w) {
        const bool common = random.below(3) == 0;
        text += common ? "w" : "t" + std::to_string(d % kToyTopics) + "_";
        text += std::to_string(random.below(10)) + ' ';
      }
      text += '\n';
    }
    text += '\n';
  }
  return text;
}

// A text of which no word is left out.
inline SentenceCorpus corpus_of(const std::string& text) {
  Source source = Source::of_text(text);
  return {source, {TextFormat::kText, TokenMode::kSpace, false, 1, 0}};
}

}  // namespace acevec
