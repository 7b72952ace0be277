// Tables of words on the disk.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/temporary_file.h"
#include "text/word_counter.h"

namespace acevec {

// Words are spread over kPieces pieces by their hashes, so that those of one piece can be looked at
// in all runs without the others. In memory are 8 bytes a piece and run.
class WordRuns {
 public:
  static constexpr int kPieces = 1024;

  static int piece_of(const WordCounter& table, size_t id) { return table.hash_prefix(id) >> 6; }

  // Writes all words of `table` as a run and returns its number: 0, 1, ... Safe to call from
  // several threads. Throws Error, for example when the disk is full.
  int write(const WordCounter& table);

  // Calls visit(word, id, count) for all words in the pieces first .. last − 1 of a run.
  using Visit = std::function<void(std::string_view word, uint32_t id, int64_t count)>;
  void read(int run, int first, int last, const Visit& visit) const;

  int64_t bytes() const { return bytes_; }

 private:
  using Offsets =
      std::array<int64_t, kPieces + 1>;  // where in the file each piece begins, and ends

  ScratchFile file_{"the counts of words", "it may take twice the size of the text"};
  std::mutex mutex_;  // guards what follows while runs are written
  int64_t bytes_ = 0;
  std::vector<Offsets> runs_;
};

}  // namespace acevec
