#include "text/case.h"

#include <utf8proc.h>

namespace acevec {
namespace {

// `word` with map(code, to) applied to every code point: it writes up to kMost of them to `to` and
// returns their number. The word itself when it is not UTF-8.
template <class Map>
std::string mapped(std::string_view word, Map&& map) {
  constexpr int kMost = 16;
  std::string result;
  for (size_t at = 0; at < word.size();) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(word.data()) + at,
                         static_cast<utf8proc_ssize_t>(word.size() - at), &code);
    if (length <= 0) return std::string(word);
    at += static_cast<size_t>(length);
    utf8proc_int32_t to[kMost];
    const auto count = map(code, to, kMost);
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
      utf8proc_uint8_t bytes[4];
      const utf8proc_ssize_t size = utf8proc_encode_char(to[i], bytes);
      result.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
    }
  }
  return result;
}

}  // namespace

std::string lower_case(std::string_view word) {
  return mapped(word, [](utf8proc_int32_t code, utf8proc_int32_t* to, int) {
    *to = utf8proc_tolower(code);
    return utf8proc_ssize_t{1};
  });
}

std::string fold_case(std::string_view word) {
  return mapped(word, [](utf8proc_int32_t code, utf8proc_int32_t* to, int most) {
    int last_boundary_class = 0;
    return utf8proc_decompose_char(code, to, most, UTF8PROC_CASEFOLD, &last_boundary_class);
  });
}

}  // namespace acevec
