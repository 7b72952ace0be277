#include "text/unspaced.h"

#include <unicode/ubrk.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

#include <limits>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/utf8.h"

namespace acevec {
namespace {

void require_words(bool split, const char* what) {
  if (split) return;
  throw Error(
      format("ICU cannot split text without spaces into words (%s); install all of ICU's data, or "
             "put spaces between the words and give -tokens space",
             what));
}

void require_words(UErrorCode code) {
  require_words(U_SUCCESS(code) != 0, u_errorName(code));
}

// One object per thread.
class WordIterator {
 public:
  WordIterator() {
    UErrorCode code = U_ZERO_ERROR;
    iterator_.reset(ubrk_open(UBRK_WORD, "en", nullptr, 0, &code));
    require_words(code);
    // Without its data ICU takes a whole sentence for a word, and no call fails. Each of these is
    // two words.
    for (const char* two : {"中国北京", "เมืองหลวง", "ປະເທດລາວ", "ប្រទេសកម្ពុជា", "မြန်မာစာ"}) {
      std::string words;
      append_words(two, words);
      require_words(words.size() > std::string_view(two).size() + 1, two);
    }
  }

  void append_words(std::string_view run, std::string& words) {
    if (run.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
      throw Error("more than 2 GiB of letters stand together; is it a text file?");
    }
    // ICU reads UTF-16 twice as fast as UTF-8.
    units_.resize(run.size());
    int32_t size = 0;
    UErrorCode code = U_ZERO_ERROR;
    const auto room = static_cast<int32_t>(run.size());
    u_strFromUTF8(units_.data(), room, &size, run.data(), room, &code);
    ubrk_setText(iterator_.get(), units_.data(), size, &code);
    require_words(code);
    int32_t begin = ubrk_first(iterator_.get());
    for (int32_t end = ubrk_next(iterator_.get()); end != UBRK_DONE;
         end = ubrk_next(iterator_.get())) {
      const size_t bytes = utf8_bytes(begin, end);
      words += run.substr(0, bytes);
      words += ' ';
      run.remove_prefix(bytes);
      begin = end;
    }
  }

 private:
  struct Close {
    void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
  };

  // The length in UTF-8 of units_[begin ..end).
  size_t utf8_bytes(int32_t begin, int32_t end) const {
    size_t bytes = 0;
    for (int32_t at = begin; at < end; ++at) {
      const char16_t unit = units_[static_cast<size_t>(at)];
      if (unit < 0x80) {
        bytes += 1;
      } else if (unit < 0x800 || U16_IS_SURROGATE(unit)) {
        bytes += 2;  // a pair of surrogates is four bytes
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }

  std::unique_ptr<UBreakIterator, Close> iterator_;
  std::vector<char16_t> units_;  // the run in UTF-16
};

}  // namespace

bool is_unspaced(char32_t letter) {
  if (letter < 0xe00) return false;  // Thai is the first of them
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
    case USCRIPT_COMMON:  // of several scripts: the long vowel, for example
      return uscript_hasScript(code, USCRIPT_KATAKANA) != 0 ||
             uscript_hasScript(code, USCRIPT_HAN) != 0;
    default:
      return false;
  }
}

void append_unspaced_words(std::string_view run, std::string& words) {
  thread_local WordIterator iterator;  // made for a thread's first run
  iterator.append_words(run, words);
}

}  // namespace acevec
