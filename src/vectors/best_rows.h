// The rows with the largest scores among those that are offered.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/parallel.h"

namespace acevec {

struct ScoredRow {
  int64_t id;
  double score;
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
  double least_score() const;  // that a row needs to be wanted
  bool wants(ScoredRow row) const;

  size_t most_;
  std::vector<ScoredRow> heap_;  // the worst on top
};

// Looks at rows 0 .. rows − 1 on `threads` threads, at most `step` of them at a time. Each thread
// calls begin(), which returns its function of (first row, count, own answers), and offers to
// answers of its own; `answers` then gets the best of all, in the order of its elements.
template <class Answer, class Begin>
void offer_in_parallel(int threads, int64_t rows, int64_t step, std::vector<Answer>& answers,
                       Begin&& begin) {
  const std::vector<Answer> none = answers;
  std::mutex mutex;
  std::atomic<int64_t> next{0};
  in_parallel(threads, [&](int) {
    std::vector<Answer> own = none;
    auto look = begin();
    for (int64_t first; (first = next.fetch_add(step)) < rows;) {
      look(first, std::min(step, rows - first), own);
    }
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < own.size(); ++i) answers[i].offer(own[i]);
  });
}

}  // namespace acevec
