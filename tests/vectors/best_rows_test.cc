// The best rows against a full sort.

#include "vectors/best_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "base/random.h"

namespace acevec {

TEST_CASE("the best rows are those of a full sort, in whatever parts they are offered") {
  Random random(5);
  std::vector<float> scores(200);
  for (float& score : scores) score = static_cast<float>(random.below(20));  // many are equal
  scores[7] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<int64_t> left_out{3, 150, -1};
  std::vector<int64_t> wanted;
  for (int64_t i = 0; i < 200; ++i) {
    if (i != 7 && i != 3 && i != 150) wanted.push_back(i);
  }
  std::stable_sort(wanted.begin(), wanted.end(), [&](int64_t a, int64_t b) {
    return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)];
  });
  for (const int64_t most : {1, 10, 500}) {
    BestRows upper(most), best(most);
    upper.offer(scores.data() + 90, 90, 110, left_out);
    best.offer(scores.data(), 0, 90, left_out);
    best.offer(upper);
    const std::vector<ScoredRow> found = std::move(best).sorted();
    REQUIRE(std::ssize(found) == std::min<int64_t>(most, std::ssize(wanted)));
    for (size_t i = 0; i < found.size(); ++i) CHECK(found[i].id == wanted[i]);
  }
}

}  // namespace acevec
