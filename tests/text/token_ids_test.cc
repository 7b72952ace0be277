// Ids of tokens, looked up many at a time, against a look-up one by one.

#include "text/token_ids.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "base/random.h"

namespace acevec {

TEST_CASE("each token has its id at its place, repaired ones too, and lines end") {
  std::map<std::string, int32_t, std::less<>> words{{"w\xef\xbf\xbdx", 1000}};
  for (int32_t i = 0; i < 50; ++i) words["w" + std::to_string(i)] = i;
  std::string text;
  std::vector<int32_t> expected;
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const uint32_t kind = random.below(20);
    if (kind == 0) {
      text += "\n";
      expected.push_back(kLineEnd);
    } else if (kind == 1) {
      text += "w\xffx ";  // the repaired word is held for a moment only
      expected.push_back(1000);
    } else {
      const auto word = static_cast<int32_t>(random.below(50));
      text += "w" + std::to_string(word) + " ";
      expected.push_back(word);
    }
  }
  std::vector<int32_t> ids{-7};  // what is there stays
  expected.insert(expected.begin(), -7);
  TextReport report;
  append_ids(text, report, ids, [&](std::span<const KeyedWord> tokens, int32_t* found) {
    CHECK(tokens.size() <= kWordsTogether);
    for (size_t i = 0; i < tokens.size(); ++i) {
      CHECK(tokens[i].key == word_key(tokens[i].word));
      found[i] = words.find(tokens[i].word)->second;
    }
  });
  CHECK(ids == expected);
  CHECK(report.invalid_tokens > 0);
}

}  // namespace acevec
