// Reads a text and reports progress: the common part of commands that read one.
#pragma once

#include "base/progress.h"
#include "cli/options.h"
#include "text/corpus.h"
#include "text/source.h"
#include "text/tokenizer.h"

namespace acevec {

// The rows of -format and -tokens, which go together, and their values.
constexpr Option format_row(std::string_view group) {
  return choice(group, "format", "text|wiki", "text",
                "text: plain text; wiki: articles of a MediaWiki dump (XML), without markup");
}
constexpr Option tokens_row(std::string_view group) {
  return choice(group, "tokens", "space|words", "",
                "space: split at white space; words: lower-case and split punctuation off "
                "(default: space, with -format wiki words)");
}
TextFormat text_format(const Options& options);
TokenMode token_mode(const Options& options);

// What counting words may take of `max_memory` bytes, or of those available when it is 0: a
// quarter, since adding up the threads' counts may take as much again, and at least 8 MiB.
int64_t counting_memory(int64_t max_memory = 0);

// Shows how far reading is.
ReadProgress shown_on(Progress& progress);

// Reads the whole text, showing how far it is. Throws Error as Corpus does.
Corpus read_corpus(Source& source, const CorpusSettings& settings, Progress& progress);

// Says what was dropped or repaired, where there was something.
void note_mended(const TextReport& report, Progress& progress);

}  // namespace acevec
