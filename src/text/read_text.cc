#include "text/read_text.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/memory.h"

namespace acevec {

TextFormat text_format(const Options& options) {
  return options.text("format") == "wiki" ? TextFormat::kWiki : TextFormat::kText;
}

// Articles are raw text, whose words are not parted from their punctuation yet.
TokenMode token_mode(const Options& options) {
  const bool words = options.given("tokens") ? options.text("tokens") == "words"
                                             : text_format(options) == TextFormat::kWiki;
  return words ? TokenMode::kWords : TokenMode::kSpace;
}

int64_t counting_memory(int64_t max_memory) {
  constexpr int64_t kLeast = 8 << 20;
  return std::max(kLeast, (max_memory > 0 ? max_memory : available_bytes()) / 4);
}

Corpus read_corpus(Source& source, const CorpusSettings& settings, Progress& progress) {
  return read_corpus(source, settings, [&](double fraction, int64_t tokens) {
    if (!progress.due()) return;
    const std::string part = fraction < 0 ? "" : format("%5.1f%%  ", 100 * fraction);
    progress.show("reading  " + part + grouped(tokens) + " tokens");
  });
}

void note_mended(const TextReport& report, Progress& progress) {
  const auto say = [&](int64_t count, const char* what) {
    if (count > 0) progress.note(format("note: %s %s", grouped(count).c_str(), what));
  };
  say(report.long_tokens, "tokens longer than 1000 bytes were left out");
  say(report.invalid_tokens, "tokens held invalid UTF-8; the bad bytes became U+FFFD");
  say(report.nul_bytes, "NUL bytes were taken as white space");
  for (const std::string& line : report_lines(report.pages)) progress.note(line);
}

}  // namespace acevec
