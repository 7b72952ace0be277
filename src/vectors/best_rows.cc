#include "vectors/best_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace acevec {
namespace {

bool better(const ScoredRow& a, const ScoredRow& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
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

// Nearly all scores are too low, which one comparison tells; what is left out is looked for last.
void BestRows::offer(const float* scores, int64_t first, int64_t count,
                     const std::vector<int64_t>& left_out) {
  double least = least_score();
  for (int64_t i = 0; i < count; ++i) {
    if (!(scores[i] >= least)) continue;  // too low, or no number
    const ScoredRow row{first + i, scores[i]};
    if (!wants(row) || std::find(left_out.begin(), left_out.end(), row.id) != left_out.end()) {
      continue;
    }
    offer(row);
    least = least_score();
  }
}

void BestRows::offer(const BestRows& others) {
  for (const ScoredRow& row : others.heap_) offer(row);
}

std::vector<ScoredRow> BestRows::sorted() && {
  std::sort(heap_.begin(), heap_.end(), better);
  return std::move(heap_);
}

}  // namespace acevec
