// Exact counts of a text's words, by several threads, within given memory; further words go to
// disk.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "base/temporary_file.h"
#include "text/vocabulary.h"
#include "text/word_ids.h"

namespace acevec {

// Each thread counts in a table of its own. A full table goes to disk, and the thread continues
// with an empty one; a word may then be in any number of tables, with an id in each.
//
// Words are divided by their hashes into kPieces pieces, so that the words of one piece can be read
// from all tables without the others. Counts are read in parts of one or more pieces; memory holds
// one part per thread.
class WordCounts {
 public:
  static constexpr int kPieces = 1024;

  // `most_bytes`: the memory of all tables together. A thread exceeds it if it finds more new words
  // in a turn than it announced.
  WordCounts(int threads, int64_t most_bytes);

  struct Table {
    int number = 0;
    WordCounter words;
    // If the words are on disk: the offset of each piece in the file, and the end of the last one,
    // and the number of words. Takes 8 bytes of memory per piece.
    std::vector<int64_t> places;
    size_t size = 0;
  };

  // Returns the table for the next turn of `thread`, which may add `words` new words to it. Threads
  // may call this concurrently. Throws Error when a full table cannot be written.
  Table& table(int thread, size_t words);

  // Ends counting. If any table is on disk, the others are written too, which frees memory for
  // reading the counts.
  void finish();

  // Adds counts from elsewhere, such as another process, to the totals; no token of this text
  // refers to their tables. Call after finish(), from one thread.
  void add(const std::vector<WordCount>& words);

  // The number of tables, which are numbered from 0.
  int tables() const { return static_cast<int>(tables_.size()); }
  int64_t disk_bytes() const { return disk_bytes_; }

  // Returns whether a table is in memory, not on disk.
  bool in_memory(int table) const { return tables_[static_cast<size_t>(table)].places.empty(); }

  // Visits the words of a table in the pieces first .. last − 1.
  using VisitWord = std::function<void(std::string_view word, uint32_t id, int64_t count)>;
  void for_each_in(int table, const VisitWord& visit, int first = 0, int last = kPieces) const;

  // The number of words of a table.
  size_t words_in(int table) const;

  // Returns a number of parts such that `threads` threads can read one each within most_bytes.
  int parts(int threads) const;

  // Calls visit(word, count) once for each distinct word of part `part` of `parts`. Safe to call
  // from several threads.
  using Visit = std::function<void(std::string_view word, int64_t count)>;
  void for_each_total(int part, int parts, const Visit& visit) const;

 private:
  void write(Table& table);
  size_t most_words() const;

  int64_t most_bytes_;
  int64_t share_;                // memory of one thread
  std::vector<Table*> current_;  // per thread, and for add(); null before the first turn
  std::mutex mutex_;             // guards the members below while threads count
  std::deque<Table> tables_;
  std::optional<ScratchFile> file_;
  int64_t disk_bytes_ = 0;
};

// Words for a vocabulary.
struct WordTotals {
  std::vector<WordCount> words;  // with count ≥ min_count, at most max_words
  int64_t distinct = 0;          // number of distinct words
};

// Adds up `counts`. `max_words` 0: no limit.
WordTotals total_counts(const WordCounts& counts, int threads, int64_t min_count,
                        int64_t max_words);

}  // namespace acevec
