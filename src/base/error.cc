#include "base/error.h"

#include <cstdarg>
#include <cstdio>
#include <system_error>

#include "base/utf8.h"

namespace acevec {
namespace {

// True for C0 and C1 controls, delete, line separators, and marks of text direction.
bool acts_on_terminal(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

void refuse_case(const char* what) {
  throw std::logic_error(format("internal error: unhandled %s; please report the command", what));
}

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
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    bool valid = true;
    const char32_t code = next_code_point(text, at, valid);
    const std::string_view bytes = text.substr(start, at - start);
    if (valid && !acts_on_terminal(code)) {
      line += bytes;
    } else {
      for (const char byte : bytes) line += format("\\x%02x", static_cast<unsigned char>(byte));
    }
  }
  return line;
}

std::string excerpt(std::string_view text, size_t most) {
  if (text.size() <= most) return one_line(text);
  size_t start = 2 * most / 3;
  size_t end = text.size() - most / 3;
  for (int i = 0; i < 3 && start > 0 && continues_character(text[start]); ++i) --start;
  for (int i = 0; i < 3 && end < text.size() && continues_character(text[end]); ++i) ++end;
  return one_line(text.substr(0, start)) + " ... " + one_line(text.substr(end));
}

void print_message(std::string_view message) {
  constexpr size_t kMost = 1000;
  std::fprintf(stderr, "%s\n", excerpt(message, kMost).c_str());
}

const char* version() {
  return ACEVEC_VERSION;
}

}  // namespace acevec
