// Exact counts of the words of a text, by several threads, within given memory; words beyond that
// go to the disk.
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

// Each thread counts in a table of its own. A table that is full goes to the disk, and the thread
// goes on with an empty one; a word may then be in any number of tables, with an id in each.
//
// Words are spread over kPieces pieces by their hashes, so that the words of one piece can be read
// from all tables without the others. Counts are read in parts, of one or more pieces; memory holds
// one part a thread.
class WordCounts {
 public:
  static constexpr int kPieces = 1024;

  // `most_bytes`: memory of all tables together. A thread that finds more new words in its turn
  // than it has announced takes more.
  WordCounts(int threads, int64_t most_bytes);

  struct Table {
    int number = 0;
    WordCounter words;
    // If the words are on the disk instead: where each piece begins in the file, and the last one
    // ends, and the number of words. Takes 8 bytes of memory a piece.
    std::vector<int64_t> places;
    size_t size = 0;
  };

  // The table for the next turn of `thread`, which may find `words` new words there. Each thread
  // may call this for itself. Throws Error when a full table cannot be written.
  Table& table(int thread, size_t words);

  // Ends counting. If any table is on the disk, the others go there too, which frees memory for
  // reading the counts.
  void finish();

  // Adds counts from elsewhere, such as those of another process: totals have them, but no token
  // of this text is in their tables. After finish(), by one thread.
  void add(const std::vector<WordCount>& words);

  // Number of tables: 0 .. tables() − 1.
  int tables() const { return static_cast<int>(tables_.size()); }
  int64_t disk_bytes() const { return disk_bytes_; }

  // Whether a table is in memory, not on the disk.
  bool in_memory(int table) const { return tables_[static_cast<size_t>(table)].places.empty(); }

  // Visits the words of a table that are in the pieces first .. last − 1.
  using VisitWord = std::function<void(std::string_view word, uint32_t id, int64_t count)>;
  void for_each_in(int table, const VisitWord& visit, int first = 0, int last = kPieces) const;

  // The number of all words of a table.
  size_t words_in(int table) const;

  // A number of parts of which `threads` threads can read one each within most_bytes.
  int parts(int threads) const;

  // Calls visit(word, count) once for each different word of part number `part` of `parts`.
  // Safe to call from several threads.
  using Visit = std::function<void(std::string_view word, int64_t count)>;
  void for_each_total(int part, int parts, const Visit& visit) const;

 private:
  void write(Table& table);
  size_t most_words() const;

  int64_t most_bytes_;
  int64_t share_;                // of a thread
  std::vector<Table*> current_;  // of each thread, and of add(); null before their first turn
  std::mutex mutex_;             // guards what follows while threads count
  std::deque<Table> tables_;
  std::optional<ScratchFile> file_;
  int64_t disk_bytes_ = 0;
};

// Words for a vocabulary.
struct WordTotals {
  std::vector<WordCount> words;  // with count ≥ min_count; of these the max_words most frequent
  int64_t distinct = 0;          // all different words
};

// Adds up `counts`. `max_words` 0: no limit.
WordTotals total_counts(const WordCounts& counts, int threads, int64_t min_count,
                        int64_t max_words);

}  // namespace acevec
