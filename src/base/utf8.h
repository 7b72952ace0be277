// UTF-8, one code point at a time.
#pragma once

#include <utf8proc.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace acevec {

inline constexpr char32_t kNotUtf8 = 0xfffd;  // replaces invalid UTF-8

// True for a byte inside a code point that is not its first.
inline bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

// Returns the next code point of text[at ..], or U+FFFD for an invalid byte, and moves `at` past
// it.
inline char32_t next_code_point(std::string_view text, size_t& at, bool& valid) {
  if (const auto byte = static_cast<unsigned char>(text[at]); byte < 0x80) {
    valid = true;
    ++at;
    return byte;
  }
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                       static_cast<utf8proc_ssize_t>(text.size() - at), &code);
  valid = length > 0;
  at += valid ? static_cast<size_t>(length) : 1;
  return valid ? static_cast<char32_t>(code) : kNotUtf8;
}

// Appends a valid code point.
inline void append_code_point(std::string& text, char32_t code) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
}

// True when all of `text` is valid UTF-8.
inline bool is_utf8(std::string_view text) {
  bool valid = true;
  for (size_t at = 0; at < text.size() && valid;) next_code_point(text, at, valid);
  return valid;
}

}  // namespace acevec
