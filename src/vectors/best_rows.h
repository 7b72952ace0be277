// The rows with the largest scores, such as the nearest neighbours of a vector.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/parallel.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec {

struct ScoredRow {
  int64_t id;
  double score;
};

// The rows with the largest scores among those offered. Of equal scores, the one with the smaller
// id is better, so the order of offers does not matter. Rows whose score is NaN, because their
// vectors overflow, are never taken.
class BestRows {
 public:
  explicit BestRows(int64_t most) : most_(static_cast<size_t>(most)) {}

  void offer(ScoredRow row);

  // Offers rows first .. first + count − 1 except those in `left_out`.
  void offer(const float* scores, int64_t first, int64_t count,
             const std::vector<int64_t>& left_out);

  void offer(const BestRows& others) {
    for (const ScoredRow& row : others.heap_) offer(row);
  }

  // Returns the rows, best first.
  std::vector<ScoredRow> sorted() &&;

 private:
  double least_score() const;  // minimum score of a row to be taken
  bool wants(ScoredRow row) const;

  size_t most_;
  std::vector<ScoredRow> heap_;  // worst row on top
};

// Scores rows 0 .. rows − 1 on `threads` threads, at most `step` rows at a time. Each thread calls
// begin(), which returns its function of (first row, row count, its own answers), and offers rows
// to its own copy of the answers, whose elements are finally offered to the same elements of
// `answers`.
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

// Returns consecutive rows in the shape of `matrix`'s rows, with its stride: row i is a copy of
// row_of(i).
template <class RowOf>
AlignedFloats gathered(const Matrix& matrix, int64_t count, RowOf&& row_of) {
  AlignedFloats rows(count * matrix.stride());
  for (int64_t i = 0; i < count; ++i) {
    std::copy_n(row_of(i), matrix.columns(), rows.data() + i * matrix.stride());
  }
  return rows;
}

struct NeighbourQuery {
  std::vector<float> vector;      // has as many numbers as a row
  std::vector<int64_t> left_out;  // rows excluded from the answers, such as the query's own
};

// Returns for every query the `most` rows with the largest dot products, best first; equal ones in
// row order. Vectors of length 1 give cosines. Many queries at once take much less time than one by
// one, because matrix products compare them.
std::vector<std::vector<ScoredRow>> nearest(const Matrix& rows,
                                            const std::vector<NeighbourQuery>& queries,
                                            int64_t most, int threads);

}  // namespace acevec
