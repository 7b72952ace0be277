// Bytes of wikitext, which is UTF-8.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace acevec {

inline bool is_ascii_letter(char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

// ASCII letters and digits, and all that is not ASCII.
inline bool is_word_byte(char c) {
  return is_ascii_letter(c) || (c >= '0' && c <= '9') ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

// Bytes that are looked for together; much faster than find_first_of().
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) has_[static_cast<unsigned char>(c)] = true;
  }

  // Where the first one at or after `at` stands; the size of `text` when there is none.
  size_t find(std::string_view text, size_t at) const {
    while (at < text.size() && !has_[static_cast<unsigned char>(text[at])]) ++at;
    return at < text.size() ? at : text.size();
  }

 private:
  std::array<bool, 256> has_{};
};

// What is taken away must not join the words around it: appends a space to `text` when it ends in a
// letter or digit and `next` begins with one.
inline void append_gap(std::string_view next, std::string& text) {
  if (!text.empty() && !next.empty() && is_word_byte(text.back()) && is_word_byte(next.front())) {
    text += ' ';
  }
}

}  // namespace acevec
