// Spelling of words in UTF-8: upper and lower case, composed letters, and Greek's final sigma.
#pragma once

#include <string>
#include <string_view>

namespace acevec {

inline constexpr char32_t kSigma = 0x3c3, kFinalSigma = 0x3c2;

// Composes letters and accents (Unicode's form NFC): "e" and an acute accent become "é". `text`
// must be valid UTF-8.
std::string composed(std::string_view text);

// Maps spellings of a lower-case word that look the same to one: composed, with a final sigma for a
// sigma at the end of the word after another non-ASCII letter ("αθηνας", but "3σ"), and with no
// other final sigma. The word must be valid UTF-8.
std::string one_spelling(std::string_view word);

// Returns `word` in lower case, with a final sigma at its end as in one_spelling(). Bytes that are
// not UTF-8 stay unchanged.
std::string lower_case(std::string_view word);

// Returns the same for words that differ only in case (Unicode's full case folding: "STRASSE" and
// "straße" become equal). A word that is not UTF-8 stays unchanged.
std::string fold_case(std::string_view word);

}  // namespace acevec
