// The schedule of the exchange: each row is sent about as often as it changes.
#pragma once

#include <cstdint>
#include <vector>

namespace acevec {

class RowSchedule {
 public:
  // `changes`: for each row, about how often it changes from one exchange to the next; empty: all
  // `rows` rows always do. A row takes part in every 2^k-th exchange, k the least with which it
  // changes at least `wanted` times in between, but in every `rarest`-th at least.
  RowSchedule(int64_t rows, const std::vector<double>& changes, double wanted, int64_t rarest);

  // The rows of exchange number `round`, increasing. Of those that take part in every 2^k-th an
  // equal share comes each time.
  std::vector<int32_t> due(int64_t round) const;

 private:
  std::vector<std::vector<int32_t>> levels_;  // [k]: the rows of every 2^k-th exchange
};

}  // namespace acevec
