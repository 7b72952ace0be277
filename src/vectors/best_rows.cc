#include "vectors/best_rows.h"

#include <limits>
#include <utility>

#include "kernels/products.h"

namespace acevec {
namespace {

bool better(const ScoredRow& a, const ScoredRow& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

constexpr int64_t kRowsAtOnce = 512;     // matrix rows, which stay in the L2 cache
constexpr int64_t kQueriesAtOnce = 256;  // the scores of all pairs stay there too

// Returns the best rows of `count` queries; each thread compares all queries with a part of the
// rows.
std::vector<BestRows> best_of_group(const Matrix& matrix, const NeighbourQuery* queries,
                                    int64_t count, int64_t most, int threads) {
  const AlignedFloats rows =
      gathered(matrix, count, [&](int64_t q) { return queries[q].vector.data(); });
  std::vector<BestRows> best(static_cast<size_t>(count), BestRows(most));
  offer_in_parallel(threads, matrix.rows(), kRowsAtOnce, best, [&] {
    return [&, scores = AlignedFloats(count * kRowsAtOnce)](int64_t first, int64_t some,
                                                            std::vector<BestRows>& own) mutable {
      score_rows({rows.data(), count}, {matrix.row(first), some}, matrix.stride(),
                 {scores.data(), kRowsAtOnce});
      for (int64_t q = 0; q < count; ++q) {
        own[static_cast<size_t>(q)].offer(scores.data() + q * kRowsAtOnce, first, some,
                                          queries[q].left_out);
      }
    };
  });
  return best;
}

}  // namespace

double BestRows::least_score() const {
  if (heap_.size() < most_) return -std::numeric_limits<double>::infinity();
  return heap_.front().score;
}

bool BestRows::wants(ScoredRow row) const {
  return heap_.size() < most_ || better(row, heap_.front());
}

void BestRows::offer(ScoredRow row) {
  if (!wants(row)) return;
  if (heap_.size() == most_) {
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.pop_back();
  }
  heap_.push_back(row);
  std::push_heap(heap_.begin(), heap_.end(), better);
}

// Nearly all scores are too low, which one comparison tells; `left_out` is searched last.
void BestRows::offer(const float* scores, int64_t first, int64_t count,
                     const std::vector<int64_t>& left_out) {
  double least = least_score();
  for (int64_t i = 0; i < count; ++i) {
    if (!(scores[i] >= least)) continue;  // too low, or NaN
    const ScoredRow row{first + i, scores[i]};
    if (!wants(row) || std::ranges::find(left_out, row.id) != left_out.end()) {
      continue;
    }
    offer(row);
    least = least_score();
  }
}

std::vector<ScoredRow> BestRows::sorted() && {
  std::ranges::sort(heap_, better);
  return std::move(heap_);
}

std::vector<std::vector<ScoredRow>> nearest(const Matrix& rows,
                                            const std::vector<NeighbourQuery>& queries,
                                            int64_t most, int threads) {
  std::vector<std::vector<ScoredRow>> answers;
  for (int64_t begin = 0; begin < std::ssize(queries); begin += kQueriesAtOnce) {
    const int64_t count = std::min(kQueriesAtOnce, std::ssize(queries) - begin);
    for (BestRows& best : best_of_group(rows, queries.data() + begin, count, most, threads)) {
      answers.push_back(std::move(best).sorted());
    }
  }
  return answers;
}

}  // namespace acevec
