// Text -> ids of its tokens, many at a time, so that memory for one is fetched while others are
// looked up.
#pragma once

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
  std::string_view tokens[kWordsTogether];
  size_t places[kWordsTogether];  // in ids
  size_t count = 0;
  const auto flush = [&] {
    int32_t found[kWordsTogether];
    look_up(std::span<const std::string_view>(tokens, count), found);
    for (size_t i = 0; i < count; ++i) ids[places[i]] = found[i];
    count = 0;
  };
  const auto in_text = [&](std::string_view token) {
    const std::less<> before;
    return !before(token.data(), text.data()) && before(token.data(), text.data() + text.size());
  };
  split_tokens(
      text, report,
      [&](std::string_view token) {
        tokens[count] = token;
        places[count] = ids.size();
        ids.push_back(0);
        // A token that was repaired lasts no longer.
        if (++count == kWordsTogether || !in_text(token)) flush();
      },
      [&] { ids.push_back(kLineEnd); });
  flush();
}

}  // namespace acevec
