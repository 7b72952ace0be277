// Tests of text/text_reader: whatever the size of a chunk, the chunks are the text and cut no
// token.

#include "text/text_reader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "temporary_folder.h"
#include "text/tokenizer.h"

namespace acevec {
namespace {

struct Cut {
  std::vector<std::string> chunks;
  int64_t dropped = 0;

  std::string joined() const {
    std::string text;
    for (const std::string& chunk : chunks) text += chunk;
    return text;
  }
};

Cut cut(const TemporaryFolder& folder, const std::string& text, size_t bytes) {
  Source source(folder.write("text", text));
  const std::unique_ptr<TextReader> reader = make_text_reader(source, bytes);
  Cut result;
  for (TextChunk chunk; reader->next(chunk);) {
    CHECK(chunk.index == static_cast<int64_t>(result.chunks.size()));
    result.chunks.push_back(chunk.text);
    result.dropped += chunk.report.long_tokens;
  }
  return result;
}

// Tokens of random length, up to `longest`, with one to three of any white space between them.
std::string random_text(Random& random, uint32_t tokens, uint32_t longest, bool with_lines) {
  const std::string_view spaces = with_lines ? std::string_view(" \n\t\n\r \n\0", 8) : " \t";
  std::string text;
  for (uint32_t i = 0; i < tokens; ++i) {
    text.append(1 + random.below(longest), static_cast<char>('a' + random.below(26)));
    for (uint32_t n = 1 + random.below(3); n > 0; --n) {
      text += spaces[random.below(static_cast<uint32_t>(spaces.size()))];
    }
  }
  if (random.below(2) == 0) text += "end";  // no white space behind it
  return text;
}

// `text` without its tokens of `bytes` bytes or more; adds their number to `dropped`.
std::string without_giants(const std::string& text, size_t bytes, int64_t& dropped) {
  std::string result;
  for (auto at = text.begin(); at != text.end();) {
    if (is_space(*at)) {
      result += *at++;
      continue;
    }
    const auto end = std::find_if(at, text.end(), is_space);
    if (static_cast<size_t>(end - at) < bytes) {
      result.append(at, end);
    } else {
      ++dropped;
    }
    at = end;
  }
  return result;
}

void check_cuts(const Cut& result, size_t bytes) {
  for (size_t i = 0; i < result.chunks.size(); ++i) {
    const std::string& chunk = result.chunks[i];
    REQUIRE(chunk.size() <= bytes);
    if (i + 1 == result.chunks.size() || chunk.empty()) continue;
    // At a line end if there is one, else between tokens.
    const bool has_line_end = chunk.find('\n') != std::string::npos;
    REQUIRE((has_line_end ? chunk.back() == '\n' : is_space(chunk.back())));
  }
}

}  // namespace

TEST_CASE("chunks of any size are the text and end between tokens") {
  const TemporaryFolder folder;
  Random random(1);
  for (const bool with_lines : {true, false}) {
    for (size_t bytes = 11; bytes < 300; bytes += 1 + bytes / 10) {
      const std::string text = random_text(random, 200, 10, with_lines);
      CAPTURE(bytes);
      const Cut result = cut(folder, text, bytes);
      CHECK(result.joined() == text);
      CHECK(result.dropped == 0);
      check_cuts(result, bytes);
    }
  }
}

TEST_CASE("a text that fits is one chunk") {
  const TemporaryFolder folder;
  CHECK(cut(folder, "a b\nc", 100).chunks == std::vector<std::string>{"a b\nc"});
  CHECK(cut(folder, "", 100).chunks.empty());
  CHECK(cut(folder, "\n", 100).chunks == std::vector<std::string>{"\n"});
}

TEST_CASE("tokens as long as a chunk are dropped and counted and nothing else is") {
  const TemporaryFolder folder;
  Random random(2);
  for (size_t bytes = 1; bytes < 60; ++bytes) {
    const std::string text = random_text(random, 100, 100, bytes % 2 == 0);
    CAPTURE(bytes);
    int64_t dropped = 0;
    const std::string expected = without_giants(text, bytes, dropped);
    const Cut result = cut(folder, text, bytes);
    CHECK(result.joined() == expected);
    CHECK(result.dropped == dropped);
    check_cuts(result, bytes);
  }
}

TEST_CASE("a giant token at the end or alone leaves no text") {
  const TemporaryFolder folder;
  const std::string giant(1000, 'x');
  CHECK(cut(folder, giant, 100).joined().empty());
  CHECK(cut(folder, giant, 100).dropped == 1);
  CHECK(cut(folder, "a\n" + giant, 100).joined() == "a\n");
  CHECK(cut(folder, giant + "\nb", 100).joined() == "\nb");
  CHECK(cut(folder, giant + ' ' + giant, 100).dropped == 2);
}

TEST_CASE("the reason why a text is refused is given once, and then it is at its end") {
  const TemporaryFolder folder;
  for (const char* bytes : {"BZh91AY&SY\r", "\x1f\x8b\x08"}) {
    CAPTURE(bytes);
    Source source(folder.write("text", bytes));
    const std::unique_ptr<TextReader> reader = make_text_reader(source, 100);
    TextChunk chunk;
    CHECK_THROWS_AS(reader->next(chunk), Error);
    CHECK_FALSE(reader->next(chunk));
  }
}

TEST_CASE("a byte order mark is no part of the text") {
  const TemporaryFolder folder;
  CHECK(cut(folder,
            "\xef\xbb\xbf"
            "a b\n",
            100)
            .joined() == "a b\n");
  CHECK(cut(folder,
            "\xef\xbb\xbf"
            "a bb cc\ndd ee ff\n",
            9)
            .joined() == "a bb cc\ndd ee ff\n");
  CHECK(cut(folder, "a \xef\xbb\xbf\n", 100).joined() == "a \xef\xbb\xbf\n");
}

TEST_CASE("several threads get all chunks between them") {
  const TemporaryFolder folder;
  Random random(3);
  const std::string text = random_text(random, 20000, 10, true);
  Source source(folder.write("text", text));
  const std::unique_ptr<TextReader> reader = make_text_reader(source, 500);
  std::map<int64_t, std::string> chunks;
  std::mutex mutex;
  in_parallel(4, [&](int) {
    for (TextChunk chunk; reader->next(chunk);) {
      const std::lock_guard lock(mutex);
      CHECK(chunks.emplace(chunk.index, chunk.text).second);
    }
  });
  std::string joined;
  for (const auto& [index, chunk] : chunks) joined += chunk;
  CHECK(joined == text);
}

TEST_CASE("chunks know how much has been read") {
  const TemporaryFolder folder;
  Random random(4);
  Source source(folder.write("text", random_text(random, 200000, 10, true)));
  const std::unique_ptr<TextReader> reader = make_text_reader(source, 50000);
  double before = 0;
  for (TextChunk chunk; reader->next(chunk);) {
    CHECK(chunk.fraction >= before);
    before = chunk.fraction;
  }
  CHECK(before == 1);
}

}  // namespace acevec
