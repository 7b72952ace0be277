#include "math/correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>

namespace acevec {
namespace {

// Ranks from 0, minus their mean; equal numbers share their mean rank.
std::vector<double> centred_ranks(const std::vector<double>& numbers) {
  std::vector<size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return numbers[i]; });
  const double middle = (static_cast<double>(numbers.size()) - 1) / 2;
  std::vector<double> ranks(numbers.size());
  for (size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && numbers[order[last]] == numbers[order[first]]) ++last;
    const double mean = static_cast<double>(first + last - 1) / 2;
    for (size_t i = first; i < last; ++i) ranks[order[i]] = mean - middle;
  }
  return ranks;
}

// Constant input becomes exact zeros, which subtracting a rounded mean might not give.
std::vector<double> centred(std::vector<double> numbers) {
  if (std::ranges::adjacent_find(numbers, std::not_equal_to<>()) == numbers.end()) {
    return std::vector<double>(numbers.size());
  }
  const double mean =
      std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
  for (double& number : numbers) number -= mean;
  return numbers;
}

// The cosine of two lists of numbers.
double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  const auto dot = [](const std::vector<double>& p, const std::vector<double>& q) {
    return std::inner_product(p.begin(), p.end(), q.begin(), 0.0);
  };
  const double scale = std::sqrt(dot(a, a) * dot(b, b));
  return scale > 0 ? dot(a, b) / scale : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double pearson(const std::vector<double>& x, const std::vector<double>& y) {
  return cosine(centred(x), centred(y));
}

double spearman(const std::vector<double>& x, const std::vector<double>& y) {
  return cosine(centred_ranks(x), centred_ranks(y));
}

}  // namespace acevec
