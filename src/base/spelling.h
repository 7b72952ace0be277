// Near spellings, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace acevec {

// Returns the candidates nearest to `word` in spelling, nearest first, at most `most`: those that
// differ in less than half of the longer word's bytes (Levenshtein, ignoring the case of ASCII; two
// bytes that are swapped count as one).
// What stands behind a dot counts as one byte where `word` has no dot: dog.n.01 is near to dog.
// Ties keep the candidates' order. A word of more than 64 bytes has none.
std::vector<std::string> near_spellings(std::string_view word,
                                        const std::vector<std::string>& candidates, size_t most);

}  // namespace acevec
