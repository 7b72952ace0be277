#include "math/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace acevec {
namespace {

// Ranks from 0, minus their mean: equal numbers share the mean of their places.
std::vector<double> centred_ranks(const std::vector<double>& numbers) {
  std::vector<size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return numbers[a] < numbers[b]; });
  const double middle = (static_cast<double>(numbers.size()) - 1) / 2;
  std::vector<double> ranks(numbers.size());
  for (size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && numbers[order[last]] == numbers[order[first]]) ++last;
    const double mean = static_cast<double>(first + last - 1) / 2;
    for (size_t i = first; i < last; ++i) ranks[order[i]] = mean - middle;
  }
  return ranks;
}

}  // namespace

double spearman(const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<double> a = centred_ranks(x);
  const std::vector<double> b = centred_ranks(y);
  const auto dot = [](const std::vector<double>& p, const std::vector<double>& q) {
    return std::inner_product(p.begin(), p.end(), q.begin(), 0.0);
  };
  const double scale = std::sqrt(dot(a, a) * dot(b, b));
  return scale > 0 ? dot(a, b) / scale : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace acevec
