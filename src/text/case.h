// The spelling of words, in UTF-8: upper and lower case, composed letters, and Greek's final sigma.
#pragma once

#include <string>
#include <string_view>

namespace acevec {

inline constexpr char32_t kSigma = 0x3c3, kFinalSigma = 0x3c2;

// Composes letters and accents (Unicode's form NFC): "e" and an acute accent become "é". `text` is
// valid UTF-8.
std::string composed(std::string_view text);

// Reduces the spellings of a word in lower case that look the same to one: composed, with a final
// sigma where a sigma ends the word behind another letter that is not ASCII ("αθηνας", but "3σ"),
// and with no other final sigma. The word is valid UTF-8.
std::string one_spelling(std::string_view word);

// `word` with every letter in lower case, and a final sigma at its end as one_spelling() has it.
// Bytes that are not UTF-8 stay as they are.
std::string lower_case(std::string_view word);

// Equal for words that differ only in case (Unicode's full case folding: "STRASSE" and "straße" are
// equal). A word that is not UTF-8 stays as it is.
std::string fold_case(std::string_view word);

}  // namespace acevec
