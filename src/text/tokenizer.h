// Splits chunks of text into tokens. Invalid tokens are repaired or dropped, and counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace acevec {

// Counts of a wiki's pages.
struct PageCounts {
  int64_t articles = 0;   // read as text
  int64_t redirects = 0;  // left out
  int64_t others = 0;     // left out: other namespaces, such as talk, or not wikitext
  int64_t cut = 0;        // articles longer than kMaxArticleBytes, whose end was left out

  PageCounts& operator+=(const PageCounts& other) {
    articles += other.articles;
    redirects += other.redirects;
    others += other.others;
    cut += other.cut;
    return *this;
  }

  int64_t total() const { return articles + redirects + others; }
};

enum class TokenMode {
  kSpace,  // tokens are separated by ASCII white space or NUL bytes, and kept as they are
  kWords,  // lower-cased, punctuation split off into separate tokens: see separate_words()
};

// Counts of what was read, repaired or dropped.
struct TextReport {
  int64_t lines = 0;           // line ends; for a whole text also an unfinished last line
  int64_t tokens = 0;          // tokens passed on
  int64_t long_tokens = 0;     // tokens longer than kMaxTokenBytes, dropped
  int64_t invalid_tokens = 0;  // tokens with invalid UTF-8; each bad sequence becomes U+FFFD
  int64_t nul_bytes = 0;       // NUL bytes, treated as white space
  int64_t json_starts = 0;     // plain texts that begin with a JSON object
  PageCounts pages{};          // pages of a wiki's dump

  TextReport& operator+=(const TextReport& other) {
    lines += other.lines;
    tokens += other.tokens;
    long_tokens += other.long_tokens;
    invalid_tokens += other.invalid_tokens;
    nul_bytes += other.nul_bytes;
    json_starts += other.json_starts;
    pages += other.pages;
    return *this;
  }
};

// The maximum length of a word; a longer token is a sign of binary or encoded data.
inline constexpr size_t kMaxTokenBytes = 1000;

// Returns true for ASCII white space, and for NUL, which would end words early in C programs.
constexpr bool is_space(char byte) {
  constexpr uint64_t kSpaces = 1 | (1 << '\t') | (1 << '\n') | (1 << '\v') | (1 << '\f') |
                               (1 << '\r') | (uint64_t{1} << ' ');
  const auto code = static_cast<unsigned char>(byte);
  return code <= ' ' && ((kSpaces >> code) & 1) != 0;
}

// Returns whether `text` has nothing but white space.
inline bool is_blank(std::string_view text) {
  return std::ranges::all_of(text, is_space);
}

// Returns whether `text` has a letter or digit of any script. Invalid UTF-8 counts as a letter.
bool has_letter_or_digit(std::string_view text);

// Returns `text` lower-cased, with spaces around every punctuation mark and symbol. Letters, marks,
// digits and "_" form words; an apostrophe between letters and a "." or "," between digits stay
// inside words ("don't", "3.14"). Other control characters are removed, and so are marks and
// joiners that follow no letter. Invalid bytes become U+FFFD, a letter, and the number of words
// that had any is added to `invalid_words`; the result is valid UTF-8.
std::string separate_words(std::string_view text, int64_t& invalid_words);

// Returns `token` with each invalid UTF-8 sequence replaced by U+FFFD; equal to `token` if it is
// valid.
std::string repair_utf8(std::string_view token);

static_assert(std::endian::native == std::endian::little, "a word's first byte is its lowest");

// Eight bytes of text in a 64-bit word; fast because most text is ASCII letters.
class EightBytes {
 public:
  explicit EightBytes(const char* at) { std::memcpy(&bytes_, at, sizeof bytes_); }

  // Returns the number of bytes before the first space or control character; 8 if there is none.
  int before_space_or_control() const {
    // A borrow only affects bytes after the first that is small enough.
    return first_of((bytes_ - kOnes * ('\x20' + 1)) & ~bytes_ & kHigh);
  }

  // Returns the number of ASCII letters at the start.
  int letters() const {
    const uint64_t low = lower() & ~kHigh;
    const uint64_t from_a = low + kOnes * (0x80 - 'a'), after_z = low + kOnes * (0x7f - 'z');
    return first_of((~from_a | after_z | bytes_) & kHigh);
  }

  // Returns the bytes with ASCII letters in lower case; other bytes may change too.
  uint64_t lower() const { return bytes_ | kOnes * 0x20; }

  // Returns whether the first `count` bytes are ASCII.
  bool ascii(int count) const {
    return (bytes_ & kHigh & (count == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * count)) - 1)) == 0;
  }

 private:
  static constexpr uint64_t kOnes = 0x0101010101010101, kHigh = kOnes * 0x80;

  // Returns the index of the first byte whose high bit is set.
  static int first_of(uint64_t marks) { return std::countr_zero(marks) / 8; }

  uint64_t bytes_;
};

// Returns the end of the token that begins at `at`; sets `ascii` to false if the token has other
// bytes.
inline const char* token_end(const char* at, const char* end, bool& ascii) {
  while (end - at >= 8) {
    const EightBytes bytes(at);
    const int count = bytes.before_space_or_control();
    ascii = ascii && bytes.ascii(count);
    at += count;
    if (count == 8) continue;
    if (is_space(*at)) return at;
    ++at;  // a control character
  }
  for (; at < end && !is_space(*at); ++at) ascii = ascii && static_cast<unsigned char>(*at) < 0x80;
  return at;
}

// Calls on_token(std::string_view) for every token of `text` and on_line_end() at every line end,
// in order. A view is valid until the next call. Tokens of more than `longest` bytes are dropped.
template <class OnToken, class OnLineEnd>
void split_tokens(std::string_view text, TextReport& report, OnToken&& on_token,
                  OnLineEnd&& on_line_end, size_t longest = kMaxTokenBytes) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (is_space(*at)) {
      if (*at == '\n') {
        ++report.lines;
        on_line_end();
      }
      report.nul_bytes += *at == '\0' ? 1 : 0;
      ++at;
      continue;
    }
    const char* const start = at;
    bool ascii = true;
    at = token_end(at, end, ascii);
    const std::string_view token(start, static_cast<size_t>(at - start));
    if (token.size() > longest) {
      ++report.long_tokens;
      continue;
    }
    ++report.tokens;
    if (ascii || is_utf8(token)) {
      on_token(token);
    } else {
      ++report.invalid_tokens;
      on_token(std::string_view(repair_utf8(token)));
    }
  }
}

}  // namespace acevec
