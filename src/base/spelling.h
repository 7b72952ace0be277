// Near spellings, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace acevec {

// Levenshtein distance in bytes.
size_t edit_distance(std::string_view a, std::string_view b);

// The candidates nearest to `word` in spelling, nearest first, at most `most`. Only those that
// differ in less than half of the longer word's bytes; ties keep the candidates' order.
std::vector<std::string> near_spellings(std::string_view word,
                                        const std::vector<std::string>& candidates, size_t most);

}  // namespace acevec
