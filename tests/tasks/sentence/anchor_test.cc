// Tests of sentence/anchor.

#include "tasks/sentence/anchor.h"

#include <doctest/doctest.h>

#include <vector>

#include "tasks/sentence/toy_pairs.h"

namespace acevec {

TEST_CASE("a row of the text is pulled back by strength times rate of the way, and no further") {
  const PairFile file("anchor", "a b\tc\nc\tb\n");
  const PairText text({file.path}, TokenMode::kSpace);
  Matrix rows(4, 2);  // one of no text
  for (int64_t i = 0; i < rows.rows(); ++i) rows.row(i)[0] = static_cast<float>(i);
  const Anchor anchor(text, rows, 10);
  for (const auto& [rate, share] : {std::pair{0.02F, 0.2F}, {0.5F, 1.0F}}) {
    for (int64_t i = 0; i < 3; ++i) {
      rows.row(i)[0] = static_cast<float>(i) + 3;
      std::vector<float> change(static_cast<size_t>(rows.stride()), 1.0F);
      anchor.pull(rows.row(i), rate, change.data());
      CHECK(change[0] == doctest::Approx(1 - 3 * share));
      CHECK(change[1] == 1.0F);
    }
  }
}

}  // namespace acevec
