#include "math/alias.h"

#include <algorithm>

namespace acevec {

AliasTable::AliasTable(const std::vector<double>& probabilities) {
  const size_t n = probabilities.size();
  std::vector<double> scaled(n);
  std::vector<int32_t> small;
  std::vector<int32_t> large;
  for (size_t i = 0; i < n; ++i) {
    scaled[i] = probabilities[i] * static_cast<double>(n);
    (scaled[i] < 1.0 ? small : large).push_back(static_cast<int32_t>(i));
  }
  columns_.resize(n);
  const auto set = [&](int32_t column, double own, int32_t alias) {
    const double threshold = std::clamp(own * 0x1p32, 0.0, 0x1p32 - 1);
    columns_[static_cast<size_t>(column)] = {static_cast<uint32_t>(threshold), alias};
  };
  while (!small.empty() && !large.empty()) {
    const int32_t poor = small.back();
    const int32_t rich = large.back();
    small.pop_back();
    set(poor, scaled[static_cast<size_t>(poor)], rich);
    double& rest = scaled[static_cast<size_t>(rich)];
    rest -= 1.0 - scaled[static_cast<size_t>(poor)];
    if (rest < 1.0) {
      large.pop_back();
      small.push_back(rich);
    }
  }
  // The remaining ones differ from 1 only by rounding.
  for (const int32_t column : large) set(column, 1.0, column);
  for (const int32_t column : small) set(column, 1.0, column);
}

}  // namespace acevec
