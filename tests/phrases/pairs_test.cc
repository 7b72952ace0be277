// Which words are a pair, with connecting words between them and without.

#include "phrases/pairs.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("a pair has words at its ends, and at most two connecting words between them") {
  const std::vector<std::string> words{"bank", "of", "the", "england", ",", "\u3001", "a1", "\xff"};
  const PairRules rules(std::ssize(words),
                        [&](int64_t id) { return words[static_cast<size_t>(id)]; }, {"the", "of"});
  const auto text = [&](const std::vector<int32_t>& ids) {
    const auto found = rules.at(ids, 0);
    if (!found) return std::string("none");
    const WordPair same = pair_of(pair_key(found->pair));
    CHECK(same.first == ids[0]);
    CHECK(same.second == ids[found->last]);
    std::string all;
    for (const std::string_view word : rules.between(same.between)) all += std::string(word) + " ";
    return all + std::to_string(found->last);
  };
  CHECK(text({0, 3}) == "1");
  CHECK(text({0, 1, 3}) == "of 2");
  CHECK(text({0, 1, 2, 3}) == "of the 3");
  CHECK(text({0, 2, 1, 3}) == "the of 3");
  CHECK(text({0, 1, 1, 1, 3}) == "none");
  CHECK(text({0, 1, 1, 1}) == "none");
  CHECK(text({0, 1, 2}) == "none");
  CHECK(text({0, 1, -1, 3}) == "none");
  CHECK(text({0, -1}) == "none");
  CHECK(text({-1, 0}) == "none");
  CHECK(text({0}) == "none");
  for (const int32_t id : {1, 2, 4, 5}) CHECK(text({id, 3}) == "none");
  for (const int32_t id : {4, 5}) CHECK(text({0, id, 3}) == "none");
  for (const int32_t id : {6, 7, 1000}) CHECK(text({0, id, 3}) == "1");  // 1000: a phrase
}

}  // namespace acevec
