#include "text/segments.h"

#include <unicode/ubrk.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utext.h>

#include <limits>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {
namespace {

using namespace std::string_view_literals;

using BreakIterator = std::unique_ptr<UBreakIterator, void (*)(UBreakIterator*)>;

BreakIterator iterator_of(UBreakIteratorType type, UErrorCode& code) {
  return {ubrk_open(type, "en", nullptr, 0, &code), &ubrk_close};
}

// Calls on_segment(begin, end) for each segment of the iterator's text, in code units.
template <class OnSegment>
void for_each_segment(UBreakIterator* iterator, OnSegment&& on_segment) {
  int32_t begin = ubrk_first(iterator);
  for (int32_t end; (end = ubrk_next(iterator)) != UBRK_DONE; begin = end) on_segment(begin, end);
}

void require_short(std::string_view text, const char* message) {
  if (text.size() > size_t{std::numeric_limits<int32_t>::max()}) throw Error(message);
}

void require_sentences(UErrorCode code) {
  if (U_SUCCESS(code)) return;
  throw Error(format("ICU cannot split sentences (%s); install its data, or give a sentence a line",
                     u_errorName(code)));
}

void require_words(bool split, const char* what) {
  if (split) return;
  throw Error(
      format("ICU cannot split text without spaces into words (%s); install all of ICU's data, or "
             "put spaces between the words and give -tokens space",
             what));
}

// Splits runs of unspaced letters into words. One object per thread.
class WordSplitter {
 public:
  WordSplitter() : iterator_(nullptr, &ubrk_close) {
    UErrorCode code = U_ZERO_ERROR;
    iterator_ = iterator_of(UBRK_WORD, code);
    require_words(U_SUCCESS(code) != 0, u_errorName(code));
    // Without its data, ICU takes a whole sentence for a word, and no call fails. Each of these is
    // two words.
    for (const char* two : {"中国北京", "เมืองหลวง", "ປະເທດລາວ", "ប្រទេសកម្ពុជា", "မြန်မာစာ"}) {
      std::string words;
      append_words(two, words);
      require_words(words.size() > std::string_view(two).size() + 1, two);
    }
  }

  void append_words(std::string_view run, std::string& words) {
    require_short(run, "more than 2 GiB of letters have no space between; is it a text file?");
    // ICU reads UTF-16 twice as fast as UTF-8.
    units_.resize(run.size());
    int32_t size = 0;
    UErrorCode code = U_ZERO_ERROR;
    const auto room = static_cast<int32_t>(run.size());
    u_strFromUTF8(units_.data(), room, &size, run.data(), room, &code);
    ubrk_setText(iterator_.get(), units_.data(), size, &code);
    require_words(U_SUCCESS(code) != 0, u_errorName(code));
    for_each_segment(iterator_.get(), [&](int32_t begin, int32_t end) {
      const size_t bytes = utf8_bytes(begin, end);
      words += run.substr(0, bytes);
      words += ' ';
      run.remove_prefix(bytes);
    });
  }

 private:
  // Returns the length in UTF-8 of units_[begin .. end).
  size_t utf8_bytes(int32_t begin, int32_t end) const {
    size_t bytes = 0;
    for (int32_t at = begin; at < end; ++at) {
      const char16_t unit = units_[static_cast<size_t>(at)];
      // A surrogate pair has four bytes.
      bytes += unit < 0x80 ? 1 : unit < 0x800 || U16_IS_SURROGATE(unit) ? 2 : 3;
    }
    return bytes;
  }

  BreakIterator iterator_;
  std::vector<char16_t> units_;  // the run in UTF-16
};

}  // namespace

void split_sentences(std::string_view paragraph,
                     const std::function<void(std::string_view)>& on_sentence) {
  require_short(paragraph, "a line is longer than 2 GiB; is it a text file?");
  UErrorCode code = U_ZERO_ERROR;
  thread_local const BreakIterator iterator = iterator_of(UBRK_SENTENCE, code);
  require_sentences(code);
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, paragraph.data(), static_cast<int64_t>(paragraph.size()), &code);
  ubrk_setUText(iterator.get(), &text, &code);
  utext_close(&text);  // the iterator has a copy, which refers to the paragraph's bytes
  require_sentences(code);
  for_each_segment(iterator.get(), [&](int32_t begin, int32_t end) {
    const std::string_view sentence =
        trimmed(paragraph.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)),
                "\0\t\n\v\f\r "sv);
    if (!sentence.empty()) on_sentence(sentence);
  });
}

bool is_unspaced(char32_t letter) {
  if (letter < 0xe00) return false;  // Thai is the first of these scripts
  const auto code = static_cast<UChar32>(letter);
  UErrorCode error = U_ZERO_ERROR;
  switch (uscript_getScript(code, &error)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    case USCRIPT_COMMON:  // shared by scripts, like the long vowel mark
      return uscript_hasScript(code, USCRIPT_KATAKANA) != 0 ||
             uscript_hasScript(code, USCRIPT_HAN) != 0;
    default:
      return false;
  }
}

void append_unspaced_words(std::string_view run, std::string& words) {
  thread_local WordSplitter splitter;
  splitter.append_words(run, words);
}

}  // namespace acevec
