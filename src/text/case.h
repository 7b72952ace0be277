// Upper and lower case, in UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace acevec {

// `word` with every letter in lower case. Bytes that are not UTF-8 stay as they are.
std::string lower_case(std::string_view word);

// Equal for words that differ only in case (Unicode's full case folding: "STRASSE" and "straße" are
// equal). A word that is not UTF-8 stays as it is.
std::string fold_case(std::string_view word);

}  // namespace acevec
