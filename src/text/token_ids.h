// Text -> ids of its tokens, many at a time, so that memory for one is fetched while others are
// looked up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "text/token_store.h"
#include "text/tokenizer.h"
#include "text/word_index.h"

namespace acevec {

// Appends to `ids` the id of each token of `text`, and kLineEnd at each line end.
// look_up(words, found) writes the ids of at most kWordsTogether words.
template <class LookUp>
void append_ids(std::string_view text, TextReport& report, std::vector<int32_t>& ids,
                LookUp&& look_up) {
  KeyedWord tokens[kWordsTogether];
  size_t places[kWordsTogether];  // in ids
  size_t count = 0;
  const auto flush = [&] {
    int32_t found[kWordsTogether];
    look_up(std::span<const KeyedWord>(tokens, count), found);
    for (size_t i = 0; i < count; ++i) ids[places[i]] = found[i];
    count = 0;
  };
  // 0 for a token that was repaired, and is elsewhere.
  const auto bytes_from = [&](std::string_view token) {
    const char* const end = text.data() + text.size();
    const std::less<> before;
    const bool inside = !before(token.data(), text.data()) && before(token.data(), end);
    return inside ? static_cast<size_t>(end - token.data()) : 0;
  };
  split_tokens(
      text, report,
      [&](std::string_view token) {
        const size_t readable = bytes_from(token);
        tokens[count] = {token, word_key(token, std::max(readable, token.size()))};
        places[count] = ids.size();
        ids.push_back(0);
        // A token that was repaired lasts no longer.
        if (++count == kWordsTogether || readable == 0) flush();
      },
      [&] { ids.push_back(kLineEnd); });
  flush();
}

}  // namespace acevec
