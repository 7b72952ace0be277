// Counts of pairs of words, as many as fit into given memory; the others are left to a later scan
// of the text, so that the counts are exact however little memory there is.
#pragma once

#include <tsl/robin_map.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "phrases/joiner.h"

namespace acevec {

// The tables of one scan. Pairs are spread over kTables tables by their hashes; a scan counts those
// of the tables first .. last() − 1. When memory runs out, the last table is emptied and left to
// the next scan. Safe to use from several threads.
class PairTables {
 public:
  static constexpr int kTables = 256;

  // `most_bytes`: what the tables may take. One table is kept however large it grows.
  PairTables(int first, int64_t most_bytes);

  static int table_of(uint64_t pair) { return static_cast<int>(PairHash()(pair) >> 56); }

  bool wants(int table) const { return table >= first_ && table < last_; }

  // Counts `pairs`, all of which belong to `table`, each once; passes over those of a table that is
  // not wanted.
  void add(int table, const std::vector<uint64_t>& pairs);

  // After the scan: one past the last table that was counted.
  int last() const { return last_; }

  // Calls visit(pair, count) for all that were counted.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int table = first_; table < last_; ++table) {
      for (const auto& [pair, count] : tables_[static_cast<size_t>(table)].counts) {
        visit(pair, count);
      }
    }
  }

 private:
  // The low bits of the hash choose the place in a table, the high ones have chosen the table.
  using Counts = tsl::robin_map<uint64_t, int64_t, PairHash>;
  struct Table {
    std::mutex mutex;
    Counts counts;
  };

  void empty_last();

  int first_;
  int64_t most_bytes_;
  std::atomic<int> last_{kTables};
  std::atomic<int64_t> bytes_{0};
  std::mutex emptying_;
  std::array<Table, kTables> tables_;
};

}  // namespace acevec
