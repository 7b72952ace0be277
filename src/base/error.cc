#include "base/error.h"

#include <cstdarg>
#include <cstdio>
#include <system_error>

namespace acevec {

std::string format(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  va_list again;
  va_copy(again, arguments);
  std::string text(static_cast<size_t>(vsnprintf(nullptr, 0, pattern, arguments)), '\0');
  vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  va_end(arguments);
  return text;
}

std::string system_message(int error_number) {
  return std::generic_category().message(error_number);
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    line += code < ' ' || code == 0x7f ? format("\\x%02x", code) : std::string(1, c);
  }
  return line;
}

}  // namespace acevec
