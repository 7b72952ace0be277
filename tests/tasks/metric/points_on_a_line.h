// A batch of points placed by hand, and what is drawn for its first anchor.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "math/aligned.h"
#include "tasks/metric/negatives.h"

namespace acevec::points_on_a_line {

// On a line: an anchor at 0 and its positive at 2 (class 0), another of the class at 0.1, and
// others at distances 1, 1.9, 2.2, 3 and 9.
inline const std::vector<float> kPlaces{0, 2, 0.1F, 1, 1.9F, 2.2F, 3, 9};
inline const std::vector<int32_t> kClasses{0, 0, 0, 1, 1, 2, 2, 2};
inline const std::vector<int32_t> kPositives{1, 0, 0, 4, 3, 6, 5, 5};
inline constexpr int64_t kRows = 8;

struct Line {
  std::vector<float> vectors, squares;

  Line() : vectors(kRows * kRowPadding), squares(kRows * kRows) {
    for (size_t i = 0; i < kRows; ++i) {
      vectors[i * kRowPadding] = kPlaces[i];
      for (size_t j = 0; j < kRows; ++j) {
        squares[i * kRows + j] = (kPlaces[i] - kPlaces[j]) * (kPlaces[i] - kPlaces[j]);
      }
    }
  }

  BatchDistances batch() const {
    return {squares.data(), kClasses.data(), kPositives.data(), kRows, vectors.data(), kRowPadding};
  }
};

// How often each row is drawn for the anchor at 0, of many draws.
template <class Choose>
std::map<int32_t, double> frequencies(Choose&& choose) {
  constexpr int64_t kDraws = 20000;
  std::vector<int32_t> all(kRows * kDraws);
  choose(kDraws, all.data());
  std::map<int32_t, double> shares;
  for (int64_t k = 0; k < kDraws; ++k) shares[all[static_cast<size_t>(k)]] += 1.0 / kDraws;
  return shares;
}

}  // namespace acevec::points_on_a_line
