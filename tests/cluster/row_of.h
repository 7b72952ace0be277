// A row of cluster/rows.h, for tests.
#pragma once

#include <vector>

#include "cluster/row_exchange.h"

namespace acevec {

inline std::vector<float> row_of(const Rows& rows, size_t i) {
  std::vector<float> row(static_cast<size_t>(rows.width));
  rows.read(i, row.data());
  return row;
}

}  // namespace acevec
