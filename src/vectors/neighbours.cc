#include "vectors/neighbours.h"

#include <algorithm>
#include <utility>

#include "kernels/products.h"
#include "math/aligned.h"

namespace acevec {
namespace {

constexpr int64_t kRowsAtOnce = 512;     // of the matrix: they stay in the second cache
constexpr int64_t kQueriesAtOnce = 256;  // scores of these against those stay there too

AlignedFloats gathered(const NeighbourQuery* queries, int64_t count, int64_t stride) {
  AlignedFloats rows(count * stride);
  for (int64_t q = 0; q < count; ++q) {
    std::copy(queries[q].vector.begin(), queries[q].vector.end(), rows.data() + q * stride);
  }
  return rows;
}

// The best rows of `count` queries; each thread compares all queries with a part of the rows.
std::vector<BestRows> best_of_group(const Matrix& matrix, const NeighbourQuery* queries,
                                    int64_t count, int64_t most, int threads) {
  const AlignedFloats rows = gathered(queries, count, matrix.stride());
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

std::vector<std::vector<ScoredRow>> nearest(const Matrix& rows,
                                            const std::vector<NeighbourQuery>& queries,
                                            int64_t most, int threads) {
  std::vector<std::vector<ScoredRow>> answers;
  answers.reserve(queries.size());
  for (int64_t begin = 0; begin < std::ssize(queries); begin += kQueriesAtOnce) {
    const int64_t count = std::min(kQueriesAtOnce, std::ssize(queries) - begin);
    for (BestRows& best : best_of_group(rows, queries.data() + begin, count, most, threads)) {
      answers.push_back(std::move(best).sorted());
    }
  }
  return answers;
}

}  // namespace acevec
