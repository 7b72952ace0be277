#include "vectors/neighbours.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/parallel.h"
#include "kernels/products.h"
#include "math/aligned.h"

namespace acevec {
namespace {

constexpr int64_t kRowsAtOnce = 512;     // of the vectors: they stay in the second cache
constexpr int64_t kQueriesAtOnce = 256;  // scores of these against those stay there too

bool nearer(const Neighbour& a, const Neighbour& b) {
  return a.cosine != b.cosine ? a.cosine > b.cosine : a.id < b.id;
}

// The nearest so far, as a heap whose top is the farthest of them.
void offer(std::vector<Neighbour>& best, Neighbour candidate, size_t most) {
  if (best.size() < most) {
    best.push_back(candidate);
    std::push_heap(best.begin(), best.end(), nearer);
  } else if (nearer(candidate, best.front())) {
    std::pop_heap(best.begin(), best.end(), nearer);
    best.back() = candidate;
    std::push_heap(best.begin(), best.end(), nearer);
  }
}

}  // namespace

std::vector<std::vector<Neighbour>> nearest(const UnitVectors& index,
                                            const std::vector<NeighbourQuery>& queries,
                                            int64_t most, int threads) {
  const Matrix& vectors = index.rows();
  const auto query_count = static_cast<int64_t>(queries.size());
  std::vector<std::vector<Neighbour>> best(queries.size());
  const int64_t groups = (query_count + kQueriesAtOnce - 1) / kQueriesAtOnce;
  for (int64_t group = 0; group < groups; ++group) {
    const int64_t begin = group * kQueriesAtOnce;
    const int64_t count = std::min(kQueriesAtOnce, query_count - begin);
    AlignedFloats rows(count * vectors.stride());
    for (int64_t q = 0; q < count; ++q) {
      const std::vector<float>& unit = queries[static_cast<size_t>(begin + q)].unit;
      std::copy(unit.begin(), unit.end(), rows.data() + q * vectors.stride());
    }
    std::atomic<int64_t> next{0};
    std::mutex mutex;
    in_parallel(threads, [&](int) {
      std::vector<std::vector<Neighbour>> own(static_cast<size_t>(count));
      AlignedFloats scores(count * kRowsAtOnce);
      for (int64_t first; (first = next.fetch_add(kRowsAtOnce)) < vectors.rows();) {
        const int64_t rest = std::min(kRowsAtOnce, vectors.rows() - first);
        score_rows({rows.data(), count}, {vectors.row(first), rest}, vectors.stride(),
                   {scores.data(), kRowsAtOnce});
        for (int64_t q = 0; q < count; ++q) {
          const std::vector<int64_t>& left_out = queries[static_cast<size_t>(begin + q)].left_out;
          for (int64_t i = 0; i < rest; ++i) {
            if (std::find(left_out.begin(), left_out.end(), first + i) != left_out.end()) continue;
            offer(own[static_cast<size_t>(q)], {first + i, scores.data()[q * kRowsAtOnce + i]},
                  static_cast<size_t>(most));
          }
        }
      }
      const std::lock_guard lock(mutex);
      for (int64_t q = 0; q < count; ++q) {
        for (const Neighbour& neighbour : own[static_cast<size_t>(q)]) {
          offer(best[static_cast<size_t>(begin + q)], neighbour, static_cast<size_t>(most));
        }
      }
    });
  }
  for (std::vector<Neighbour>& list : best) std::sort(list.begin(), list.end(), nearer);
  return best;
}

}  // namespace acevec
