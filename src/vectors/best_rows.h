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

// The rows with the largest scores among those that are offered. Of equal scores that of the
// smaller id counts as larger, so the order of the offers does not matter. A row whose score is not
// a number, because its vector overflows, is never taken.
class BestRows {
 public:
  explicit BestRows(int64_t most) : most_(static_cast<size_t>(most)) {}

  void offer(ScoredRow row);

  // Offers rows first .. first + count − 1 except those that are left out.
  void offer(const float* scores, int64_t first, int64_t count,
             const std::vector<int64_t>& left_out);

  void offer(const BestRows& others);

  // The best one first.
  std::vector<ScoredRow> sorted() &&;

 private:
  double least_score() const;  // of a row that is wanted
  bool wants(ScoredRow row) const;

  size_t most_;
  std::vector<ScoredRow> heap_;  // the worst on top
};

// Scores rows 0 .. rows − 1 on `threads` threads, at most `step` of them at a time. Each thread
// calls begin(), which returns its function of (first row, count, own answers), and offers rows to
// answers of its own; these are then offered to `answers`, each to the element of its place.
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

// Rows that follow each other, with as many numbers as those of `matrix` and room for its stride:
// number i is a copy of row_of(i).
template <class RowOf>
AlignedFloats gathered(const Matrix& matrix, int64_t count, RowOf&& row_of) {
  AlignedFloats rows(count * matrix.stride());
  for (int64_t i = 0; i < count; ++i) {
    std::copy_n(row_of(i), matrix.columns(), rows.data() + i * matrix.stride());
  }
  return rows;
}

struct NeighbourQuery {
  std::vector<float> vector;      // as many numbers as a row
  std::vector<int64_t> left_out;  // rows that are no answers, such as the query's own
};

// For every query its `most` rows with the largest dot products, the largest first; equal ones in
// the order of the rows. Vectors of length 1 give cosines. Many queries at once take much less time
// than one by one: they are compared in products of matrices.
std::vector<std::vector<ScoredRow>> nearest(const Matrix& rows,
                                            const std::vector<NeighbourQuery>& queries,
                                            int64_t most, int threads);

}  // namespace acevec
