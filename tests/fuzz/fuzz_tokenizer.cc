// Text of any bytes, in chunks of any size: what comes out as tokens could be written to a file of
// vectors and read back.

#include <algorithm>
#include <vector>

#include "fuzz.h"
#include "text/text_reader.h"
#include "text/tokenizer.h"
#include "text/unpacker.h"

namespace acevec {
namespace {

std::vector<std::string> tokens_of(std::string_view text, TextReport& report) {
  std::vector<std::string> tokens;
  split_tokens(
      text, report, [&](std::string_view token) { tokens.emplace_back(token); }, [] {});
  for (const std::string& token : tokens) {
    REQUIRE_ALWAYS(!token.empty());
    REQUIRE_ALWAYS(is_utf8(token));
    REQUIRE_ALWAYS(std::none_of(token.begin(), token.end(), is_space));
  }
  REQUIRE_ALWAYS(report.tokens == static_cast<int64_t>(tokens.size()));
  return tokens;
}

void split_into_words(std::string_view text) {
  int64_t invalid = 0;
  const std::string words = separate_words(text, invalid);
  REQUIRE_ALWAYS(is_utf8(words));
  REQUIRE_ALWAYS((invalid == 0) == is_utf8(text));
  TextReport report;
  tokens_of(words, report);
}

// Cutting into chunks changes no token but those longer than a chunk, which it counts.
void cut_into_chunks(std::string_view text, size_t bytes) {
  const MemoryFile file(text);
  accepted([&] {
    Source source(file.path());
    const std::unique_ptr<TextReader> reader = make_text_reader(source, bytes);
    TextReport report;
    std::vector<std::string> tokens;
    int64_t dropped = 0;
    for (TextChunk chunk; reader->next(chunk);) {
      TextReport part;
      for (std::string& token : tokens_of(chunk.text, part)) tokens.push_back(std::move(token));
      dropped += chunk.report.long_tokens;
    }
    if (dropped > 0 || make_unpacker(text, 1) || text.starts_with("\xef\xbb\xbf")) return;
    REQUIRE_ALWAYS(tokens == tokens_of(text, report));
  });
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text = acevec::view_of(data + 1, size - 1);
  acevec::split_into_words(text);
  acevec::cut_into_chunks(text, 1 + data[0]);
  return 0;
}
