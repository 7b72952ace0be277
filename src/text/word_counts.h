// Exact counts of the words of a text, by several threads, within given memory.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"
#include "text/word_counter.h"
#include "text/word_runs.h"

namespace acevec {

// Each thread counts in a table of its own. A table that is full goes to the disk, and the thread
// goes on with an empty one; a word may then be in any number of tables. Ids are a table's own.
//
// Counts are read in parts, of which each holds the words of some hashes with their counts in all
// tables; only one part a thread needs to be in memory.
class WordCounts {
 public:
  // `most_bytes`: what all tables together may take. A thread that finds more new words in its turn
  // than it has announced takes so much more.
  WordCounts(int threads, int64_t most_bytes);

  struct Table {
    int number = 0;
    WordCounter words;
    int run = -1;     // on the disk, instead of `words`; −1: in memory
    size_t size = 0;  // of the run
  };

  // The table in which `thread` takes its next turn, in which it may find `words` new words. Each
  // thread may call this for itself. Throws Error when a full table cannot be written.
  Table& table(int thread, size_t words);

  // Ends counting. If any table is on the disk, the others go there too, which leaves the memory to
  // those who read the counts.
  void finish();

  // Adds counts from elsewhere, such as those of another process: totals have them, but no token
  // of this text is in their tables. After finish(), by one thread.
  void add(const std::vector<WordCount>& words);

  // Number of tables: 0 .. tables() − 1.
  int tables() const { return static_cast<int>(tables_.size()); }
  int64_t disk_bytes() const { return runs_ ? runs_->bytes() : 0; }

  // Whether a table is in memory, not on the disk.
  bool in_memory(int table) const { return tables_[static_cast<size_t>(table)].run < 0; }

  // The words of any table, and how many they are.
  void for_each_in(int table, const WordRuns::Visit& visit) const;
  size_t words_in(int table) const;

  // How many parts there are, enough for `threads` to read one each at a time within most_bytes.
  int parts(int threads) const;

  // Calls visit(word, count) once for each different word of part number `part` of `parts`.
  // Safe to call from several threads.
  using Visit = std::function<void(std::string_view word, int64_t count)>;
  void for_each_total(int part, int parts, const Visit& visit) const;

 private:
  Table* begin_table();
  void write(Table& table);
  void for_each_in(const Table& table, int first, int last, const WordRuns::Visit& visit) const;
  size_t most_words() const;

  int64_t most_bytes_;
  int64_t share_;                // of a thread
  std::vector<Table*> current_;  // of each thread, and of add(); null before their first turn
  std::mutex mutex_;             // guards what follows while threads count
  std::deque<Table> tables_;
  std::optional<WordRuns> runs_;
};

// The words that a vocabulary may be made of.
struct WordTotals {
  std::vector<WordCount> words;  // with count ≥ min_count; of these the max_words most frequent
  int64_t distinct = 0;          // all different words
};

// Adds up `counts`. `max_words` 0: no limit.
WordTotals total_counts(const WordCounts& counts, int threads, int64_t min_count,
                        int64_t max_words);

}  // namespace acevec
