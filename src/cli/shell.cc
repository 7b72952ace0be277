#include "cli/shell.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace acevec {
namespace {

bool is_plain(unsigned char c) {
  constexpr std::string_view kPlain = "%+,-./:=@_";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kPlain.find(static_cast<char>(c)) != std::string_view::npos;
}

bool is_control(unsigned char c) {
  return c < 32 || c == 127;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string result;
  if (is_utf8(word) && std::none_of(word.begin(), word.end(), is_control)) {
    for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
    return "'" + result + "'";
  }
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_control(byte) || byte > 127) {
      result += format("\\%03o", static_cast<unsigned>(byte));
    } else if (c == '\\' || c == '\'') {
      result += std::string("\\") + c;
    } else {
      result += c;
    }
  }
  return "$'" + result + "'";
}

}  // namespace acevec
