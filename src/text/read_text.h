// Reading a text under the user's eyes: what commands that read one have in common.
#pragma once

#include "base/options.h"
#include "base/progress.h"
#include "text/corpus.h"
#include "text/source.h"
#include "text/tokenizer.h"

namespace acevec {

// The row of -tokens, whose value token_mode() gives.
constexpr Option tokens_row(std::string_view group) {
  return choice(group, "tokens", "space|words", "space",
                "space: tokens are what white space separates; words: lower-case the text and "
                "split punctuation off");
}
TokenMode token_mode(const Options& options);

// Reads the whole text, showing how far it is. Throws Error as Corpus does.
Corpus read_corpus(Source& source, const CorpusSettings& settings, Progress& progress);

// Says what was dropped or mended, where there was something.
void note_mended(const TextReport& report, Progress& progress);

}  // namespace acevec
