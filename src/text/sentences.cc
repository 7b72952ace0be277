#include "text/sentences.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "text/tokenizer.h"

namespace acevec {
namespace {

void require(UErrorCode code) {
  if (U_SUCCESS(code)) return;
  throw Error(
      format("ICU cannot split sentences (%s); install its data, or give a sentence a "
             "line",
             u_errorName(code)));
}

std::string_view trimmed(std::string_view text) {
  const auto* const first = std::find_if_not(text.begin(), text.end(), is_space);
  while (text.end() > first && is_space(text.back())) text.remove_suffix(1);
  return {first, static_cast<size_t>(text.end() - first)};
}

}  // namespace

void SentenceSplitter::Close::operator()(UBreakIterator* iterator) const {
  ubrk_close(iterator);
}

SentenceSplitter::SentenceSplitter() {
  UErrorCode code = U_ZERO_ERROR;
  iterator_.reset(ubrk_open(UBRK_SENTENCE, "en", nullptr, 0, &code));
  require(code);
}

void SentenceSplitter::split(std::string_view paragraph,
                             const std::function<void(std::string_view)>& on_sentence) {
  if (paragraph.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    throw Error("a line is longer than 2 GiB; is it a text file?");
  }
  UErrorCode code = U_ZERO_ERROR;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, paragraph.data(), static_cast<int64_t>(paragraph.size()), &code);
  ubrk_setUText(iterator_.get(), &text, &code);
  utext_close(&text);  // the iterator has a copy, whose bytes are the paragraph's
  require(code);
  int32_t begin = ubrk_first(iterator_.get());
  for (int32_t end = ubrk_next(iterator_.get()); end != UBRK_DONE;
       end = ubrk_next(iterator_.get())) {
    const std::string_view sentence =
        trimmed(paragraph.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
    if (!sentence.empty()) on_sentence(sentence);
    begin = end;
  }
}

}  // namespace acevec
