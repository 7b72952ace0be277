#include "text/tokenizer.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <utf8proc.h>

#include <vector>

#include "text/case.h"
#include "text/segments.h"

namespace acevec {
namespace {

constexpr char32_t kRightQuote = 0x2019;  // the typographic apostrophe

constexpr char32_t kDotAbove = 0x307;  // combining dot above

// kUnspaced: a letter of a script without spaces between words.
enum class Class : uint8_t {
  kUnknown,
  kSpace,
  kLetter,
  kUnspaced,
  kDigit,
  kAccent,
  kJoiner,
  kMark,
  kIgnored
};

Class classify(char32_t code) {
  if (code < 0x80) {
    const char c = static_cast<char>(code);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return Class::kLetter;
    if (c >= '0' && c <= '9') return Class::kDigit;
    if (is_space(c)) return Class::kSpace;
    if (c == '\'' || c == '.' || c == ',') return Class::kJoiner;
    return c < ' ' || c == 0x7f ? Class::kIgnored : Class::kMark;
  }
  switch (code) {
    case kNotUtf8:
      return Class::kLetter;
    case kRightQuote:
      return Class::kJoiner;
    case 0x200c:  // joiners that some scripts, such as Persian and Hindi, have inside words
    case 0x200d:
      return Class::kAccent;
    case 0x0085:  // "next line"
    case 0x200b:  // "zero width space", which separates words in scripts without visible spaces
      return Class::kSpace;
    default:
      break;
  }
  // The first letter of Unicode's general category, such as "Lu", is its class.
  const char* const category = utf8proc_category_string(static_cast<utf8proc_int32_t>(code));
  switch (*category) {
    case 'L':
      return is_unspaced(code) ? Class::kUnspaced : Class::kLetter;
    case 'M':
      return Class::kAccent;
    case 'N':  // "Nl": the Chinese zero is a letter
      return category[1] == 'l' && is_unspaced(code) ? Class::kUnspaced : Class::kDigit;
    case 'Z':
      return Class::kSpace;
    case 'C':
      return Class::kIgnored;
    default:  // punctuation and symbols
      return Class::kMark;
  }
}

char32_t lowered(char32_t code) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

// Returns whether a word with this letter or accent can have another spelling.
bool has_spellings(char32_t code) {
  if (code < 0x300) return false;  // letters that are already composed
  const auto letter = static_cast<UChar32>(code);
  return lowered(code) == kSigma || lowered(code) == kFinalSigma ||
         u_getIntPropertyValue(letter, UCHAR_NFC_QUICK_CHECK) != UNORM_YES ||
         u_getCombiningClass(letter) != 0;
}

// Properties of a code point.
struct Properties {
  Class kind = Class::kUnknown;
  bool upper = false;      // differs from its lower case
  bool spellings = false;  // see has_spellings()
};

// Caches properties of code points, so that text of any script is read equally fast. One object per
// thread.
class PropertyTable {
 public:
  Properties operator[](char32_t code) {
    if (code >= table_.size()) return look_up(code);
    Properties& own = table_[code];
    if (own.kind == Class::kUnknown) own = look_up(code);
    return own;
  }

 private:
  // Called once per code point; inlining it would slow down the loop over a text.
  [[gnu::noinline]] static Properties look_up(char32_t code) {
    return {classify(code), lowered(code) != code, has_spellings(code)};
  }

  std::vector<Properties> table_ = std::vector<Properties>(0x10000);  // enough for most text
};

PropertyTable& properties() {
  thread_local PropertyTable table;
  return table;
}

// Returns the class of the code point at text[at ..]; white space at the end.
Class class_at(std::string_view text, size_t at, PropertyTable& table) {
  bool valid = true;
  return at < text.size() ? table[next_code_point(text, at, valid)].kind : Class::kSpace;
}

// An apostrophe between letters is part of the word, as is a point or comma between digits.
bool joins(char32_t code, Class before, Class after) {
  const bool apostrophe = code == '\'' || code == kRightQuote;
  const Class needed = apostrophe ? Class::kLetter : Class::kDigit;
  return before == needed && after == needed;
}

// Appends the ASCII letters at text[at ..] in lower case, except within the text's last seven
// bytes. Returns their number.
size_t append_ascii_letters(std::string_view text, size_t at, std::string& words) {
  const size_t begin = at;
  for (int letters = 8; letters == 8 && text.size() - at >= 8;) {
    const EightBytes bytes(text.data() + at);
    letters = bytes.letters();
    const uint64_t lower = bytes.lower();
    words.append(reinterpret_cast<const char*>(&lower), static_cast<size_t>(letters));
    at += static_cast<size_t>(letters);
  }
  return at - begin;
}

// Appends the words of the unspaced letters at text[at ..]. Returns their end.
size_t append_unspaced(std::string_view text, size_t at, PropertyTable& table, std::string& words) {
  std::string run;
  for (size_t next = at; next < text.size(); at = next) {
    bool valid = true;
    const Class kind = table[next_code_point(text, next, valid)].kind;
    if (kind == Class::kUnspaced || kind == Class::kAccent) {
      run += text.substr(at, next - at);
    } else if (kind != Class::kIgnored) {
      break;
    }
  }
  append_unspaced_words(composed(run), words);
  return at;
}

// Replaces the last word of `words` by its one spelling.
void respell_last(std::string& words) {
  size_t begin = words.size();
  while (begin > 0 && !is_space(words[begin - 1])) --begin;
  const std::string word = one_spelling(std::string_view(words).substr(begin));
  words.resize(begin);
  words += word;
}

}  // namespace

std::string repair_utf8(std::string_view token) {
  std::string repaired;
  for (size_t at = 0; at < token.size();) {
    bool valid = true;
    append_code_point(repaired, next_code_point(token, at, valid));
  }
  return repaired;
}

bool has_letter_or_digit(std::string_view text) {
  bool valid = true;
  for (size_t at = 0; at < text.size();) {
    const char32_t code = next_code_point(text, at, valid);
    const char kind = *utf8proc_category_string(static_cast<utf8proc_int32_t>(code));
    if (!valid || kind == 'L' || kind == 'N') return true;
  }
  return false;
}

std::string separate_words(std::string_view text, int64_t& invalid_words) {
  std::string words;
  words.reserve(text.size() + text.size() / 8);
  PropertyTable& table = properties();
  Class before = Class::kSpace;
  bool word_valid = true;
  bool respell = false;  // the last word may have another spelling
  const auto end_word = [&] {
    if (respell) respell_last(words);
    respell = false;
    word_valid = true;
  };
  for (size_t at = 0; at < text.size();) {
    // Most text is ASCII letters and spaces.
    if (const size_t letters = append_ascii_letters(text, at, words); letters > 0) {
      at += letters;
      before = Class::kLetter;
    }
    if (at == text.size()) break;
    if (is_space(text[at])) {  // kept: line ends matter, and NUL bytes are counted later
      end_word();
      words += text[at++];
      before = Class::kSpace;
      continue;
    }
    const size_t begin = at;
    bool valid = true;
    const char32_t code = next_code_point(text, at, valid);
    const Properties own = table[code];
    Class kind = own.kind;
    if (kind == Class::kAccent) {  // belongs to what it follows
      const bool follows = before == Class::kLetter || before == Class::kDigit;
      // The "i" that "I" becomes has a dot already.
      const bool dotted = code == kDotAbove && begin > 0 && text[begin - 1] == 'I';
      kind = follows && !dotted ? before : Class::kIgnored;
    }
    if (kind == Class::kIgnored) continue;
    const bool inside = kind == Class::kLetter || kind == Class::kDigit ||
                        (kind == Class::kJoiner && joins(code, before, class_at(text, at, table)));
    if (!inside) {
      end_word();
      words += ' ';
    }
    if (kind == Class::kUnspaced) {
      at = append_unspaced(text, begin, table, words);
      kind = Class::kMark;  // nothing joins words that were split
    } else if (kind == Class::kJoiner || kind == Class::kMark) {
      append_code_point(words, code == kRightQuote ? U'\'' : code);
      if (!inside) words += ' ';
      kind = inside ? before : Class::kMark;
    } else if (kind != Class::kSpace) {
      invalid_words += !valid && word_valid ? 1 : 0;
      word_valid = word_valid && valid;
      if (valid && !own.upper) {
        words += text.substr(begin, at - begin);
      } else {
        append_code_point(words, lowered(code));
      }
      respell = respell || own.spellings;
    }
    before = kind;
  }
  end_word();
  return words;
}

}  // namespace acevec
