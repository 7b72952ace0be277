#include "noise/count_classes.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace acevec {

CountClasses count_classes(const std::vector<int64_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  const auto count = [&](int32_t word) { return counts[static_cast<size_t>(word)]; };
  if (!std::is_sorted(counts.begin(), counts.end(), std::greater<>())) {
    std::sort(order.begin(), order.end(),
              [&](int32_t a, int32_t b) { return count(a) > count(b); });
  }
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  CountClasses classes;
  classes.words = static_cast<double>(counts.size());
  classes.of_word.resize(counts.size());
  int64_t last = 0;
  for (const int32_t word : order) {
    if (count(word) != last) {
      last = count(word);
      classes.sizes.push_back(0);
      classes.unigram.push_back(static_cast<double>(last) / total);
    }
    classes.sizes.back() += 1;
    classes.of_word[static_cast<size_t>(word)] = static_cast<int32_t>(classes.size() - 1);
  }
  return classes;
}

}  // namespace acevec
