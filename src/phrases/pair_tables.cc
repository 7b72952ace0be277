#include "phrases/pair_tables.h"

namespace acevec {
namespace {

template <class Counts>
int64_t bytes_of(const Counts& counts) {
  constexpr int64_t kBucketBytes = 24;  // pair, count, and the distance from its place
  return static_cast<int64_t>(counts.bucket_count()) * kBucketBytes;
}

}  // namespace

PairTables::PairTables(int first, int64_t most_bytes) : first_(first), most_bytes_(most_bytes) {
  constexpr float kFullest = 0.8F;  // memory matters more than the last bit of speed
  for (Table& table : tables_) table.counts.max_load_factor(kFullest);
}

void PairTables::add(int table, const std::vector<uint64_t>& pairs) {
  {
    Table& own = tables_[static_cast<size_t>(table)];
    const std::lock_guard lock(own.mutex);
    if (!wants(table)) return;
    const int64_t before = bytes_of(own.counts);
    for (const uint64_t pair : pairs) ++own.counts[pair];
    bytes_ += bytes_of(own.counts) - before;
  }
  while (bytes_ > most_bytes_ && last_ > first_ + 1) empty_last();
}

void PairTables::empty_last() {
  const std::lock_guard only_one(emptying_);
  if (bytes_ <= most_bytes_ || last_ <= first_ + 1) return;
  const int table = --last_;  // from now on nothing is added to it
  Table& emptied = tables_[static_cast<size_t>(table)];
  const std::lock_guard lock(emptied.mutex);
  bytes_ -= bytes_of(emptied.counts);
  emptied.counts = Counts();
}

}  // namespace acevec
