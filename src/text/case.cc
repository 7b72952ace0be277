#include "text/case.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <utf8proc.h>

#include <cstdlib>
#include <memory>

#include "base/error.h"

namespace acevec {
namespace {

// Returns the word itself when it is not UTF-8.
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

// Both have two bytes and differ only in the second.
constexpr std::string_view kSigmaBytes = "\u03c3", kFinalSigmaBytes = "\u03c2";

// Makes a sigma at the end of `word` final if it follows a non-ASCII letter.
void end_with_final_sigma(std::string& word) {
  const size_t size = word.size();
  if (size > 2 && word.ends_with(kSigmaBytes) && static_cast<unsigned char>(word[size - 3]) >= 0x80)
    word.back() = kFinalSigmaBytes[1];
}

}  // namespace

std::string composed(std::string_view text) {
  UErrorCode code = U_ZERO_ERROR;
  std::string result;
  icu::StringByteSink<std::string> sink(&result, static_cast<int32_t>(text.size()));
  const icu::Normalizer2* const form = icu::Normalizer2::getNFCInstance(code);  // never freed
  if (U_SUCCESS(code)) {
    form->normalizeUTF8(0, {text.data(), static_cast<int32_t>(text.size())}, sink, nullptr, code);
  }
  if (U_FAILURE(code)) throw Error(format("ICU cannot compose letters (%s)", u_errorName(code)));
  return result;
}

std::string one_spelling(std::string_view word) {
  std::string spelling = composed(word);
  for (size_t at = 0; (at = spelling.find(kFinalSigmaBytes, at)) != std::string::npos;) {
    spelling[at + 1] = kSigmaBytes[1];
  }
  end_with_final_sigma(spelling);
  return spelling;
}

std::string lower_case(std::string_view word) {
  std::string lower =
      mapped(word, 0, [](utf8proc_int32_t code, void*) { return utf8proc_tolower(code); });
  end_with_final_sigma(lower);
  return lower;
}

std::string fold_case(std::string_view word) {
  return mapped(word, UTF8PROC_CASEFOLD, nullptr);
}

}  // namespace acevec
