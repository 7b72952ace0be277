// Near spellings, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace acevec {

// Returns at most `most` candidates, nearest first, that differ from `word` in less than half of
// the longer word's bytes (Levenshtein distance, ASCII case ignored; a swap of two adjacent bytes
// counts as one change). If `word` has no dot, a candidate's ending from its first dot counts as
// one byte: dog.n.01 is near dog. Ties keep the candidates' order. A word of more than 64 bytes has
// no near spellings.
std::vector<std::string> near_spellings(std::string_view word,
                                        const std::vector<std::string>& candidates, size_t most);

}  // namespace acevec
