#include "text/case.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

namespace acevec {
namespace {

// The word itself when it is not UTF-8.
std::string mapped(std::string_view word, int options, utf8proc_custom_func custom) {
  utf8proc_uint8_t* bytes = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map_custom(reinterpret_cast<const utf8proc_uint8_t*>(word.data()),
                          static_cast<utf8proc_ssize_t>(word.size()), &bytes,
                          static_cast<utf8proc_option_t>(options), custom, nullptr);
  if (size < 0) return std::string(word);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(bytes, &std::free);
  return {reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)};
}

}  // namespace

std::string lower_case(std::string_view word) {
  return mapped(word, 0, [](utf8proc_int32_t code, void*) { return utf8proc_tolower(code); });
}

std::string fold_case(std::string_view word) {
  return mapped(word, UTF8PROC_CASEFOLD, nullptr);
}

}  // namespace acevec
