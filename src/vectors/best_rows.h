// The rows with the largest scores among those that are offered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acevec {

struct ScoredRow {
  int64_t id;
  float score;
};

// Of equal scores that of the smaller id counts as larger, so the order of the offers does not
// matter. A row whose score is not a number, of vectors that overflow, is never taken.
class BestRows {
 public:
  explicit BestRows(int64_t most) : most_(static_cast<size_t>(most)) {}

  void offer(ScoredRow row);

  // Offers rows first .. first + count − 1 but for those that are left out.
  void offer(const float* scores, int64_t first, int64_t count,
             const std::vector<int64_t>& left_out);

  void offer(const BestRows& others);

  // The best one first.
  std::vector<ScoredRow> sorted() &&;

 private:
  float least_score() const;  // that a row needs to be wanted
  bool wants(ScoredRow row) const;

  size_t most_;
  std::vector<ScoredRow> heap_;  // the worst on top
};

}  // namespace acevec
