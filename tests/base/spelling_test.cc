// Tests of base/spelling: distances known by hand, and what counts as near.

#include "base/spelling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "base/random.h"

namespace acevec {

using Words = std::vector<std::string>;

// By the definition: of the first i bytes and the first j.
static size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> of(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        of[i][j] = i + j;
        continue;
      }
      const size_t replaced = of[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      of[i][j] = std::min({replaced, of[i - 1][j] + 1, of[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) of[i][j] = std::min(of[i][j], of[i - 2][j - 2] + 1);
    }
  }
  return of[a.size()][b.size()];
}

TEST_CASE("near spellings come nearest first") {
  CHECK(near_spellings("trian", {"size", "train", "iter", "trial"}, 3) == Words{"train", "trial"});
  CHECK(near_spellings("sise", {"side", "size", "since"}, 9) == Words{"side", "size", "since"});
  CHECK(near_spellings("sise", {"side", "size", "since"}, 1) == Words{"side"});
  CHECK(near_spellings("size", {"xize", "size"}, 1) == Words{"size"});
  CHECK(near_spellings("PARIS", {"Harris", "paris"}, 1) == Words{"paris"});
  CHECK(near_spellings("dgo", {"cat", "dog"}, 3) == Words{"dog"});
  CHECK(near_spellings("Olso", {"Bonn", "oslo"}, 3) == Words{"oslo"});
}

TEST_CASE("what stands behind a dot is one change") {
  const Words senses{"hog.n.01", "dog.v.01", "animal.n.01", "dog.n.03", "Dogs"};
  CHECK(near_spellings("dog", senses, 3) == Words{"dog.v.01", "dog.n.03", "Dogs"});
  CHECK(near_spellings("anmial", senses, 3) == Words{"animal.n.01"});
  CHECK(near_spellings("dog.n.3", senses, 1) == Words{"dog.n.03"});
  CHECK(near_spellings("mr", {"mr.", "m", ".hidden"}, 3) == Words{"mr."});
}

TEST_CASE("what shares less than half is not near") {
  CHECK(near_spellings("xyzzy", {"size", "iter", "train"}, 3).empty());
  CHECK(near_spellings("ab", {"ax"}, 3).empty());
  CHECK(near_spellings("abc", {"abx"}, 3) == Words{"abx"});
  CHECK(near_spellings("", {"a"}, 3).empty());
  CHECK(near_spellings("a", {}, 3).empty());
  const std::string longest(64, 'a');
  CHECK(near_spellings(longest, {longest + "b"}, 3) == Words{longest + "b"});
  CHECK(near_spellings(longest + "a", {longest}, 3).empty());
}

TEST_CASE("near spellings are those of a plain search, for words of up to 64 bytes") {
  Random random(3);
  const auto draw = [&](size_t length) {
    std::string word;
    for (size_t i = 0; i < length; ++i) word += static_cast<char>('a' + random.below(3));
    return word;
  };
  for (const size_t length : {1, 5, 12, 40, 63, 64}) {
    Words candidates;
    for (int i = 0; i < 200; ++i)
      candidates.push_back(draw(1 + random.below(static_cast<uint32_t>(2 * length))));
    for (const size_t most : {0, 1, 4, 300}) {
      const std::string word = draw(length);
      std::vector<std::pair<size_t, std::string>> near;
      for (const std::string& candidate : candidates) {
        const size_t distance = edit_distance(word, candidate);
        if (2 * distance < std::max(length, candidate.size()))
          near.emplace_back(distance, candidate);
      }
      std::stable_sort(near.begin(), near.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      Words expected;
      for (size_t i = 0; i < std::min(most, near.size()); ++i) expected.push_back(near[i].second);
      CHECK(near_spellings(word, candidates, most) == expected);
    }
  }
}

}  // namespace acevec
