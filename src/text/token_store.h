// A text as ids in a temporary file, written once while the text is read, and read in every epoch.
// Memory does not grow with the text.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/temporary_file.h"

namespace acevec {

// Marks a line end among ids.
inline constexpr int32_t kLineEnd = -1;

// Chunks of ids. The owner of a chunk is the table that its ids belong to. An id below 2¹⁵ − 1
// takes 2 bytes, others 4: ids are assigned in order of first appearance, so frequent words have
// small ones. Writing and reading are safe from several threads.
class TokenStore {
 public:
  // Throws Error when no temporary file can be created.
  TokenStore() : file_("the text's token ids", "about half the size of the text") {}

  // Writes chunk number `index`: ids ≥ 0 and kLineEnd. Chunks may come in any order; writing one
  // again replaces it. Throws Error, for example when the disk is full.
  void write(int64_t index, int owner, const std::vector<int32_t>& tokens);

  // Reads a chunk back. Returns its owner. Throws Error when the file cannot be read.
  int read(int64_t index, std::vector<int32_t>& tokens) const;

  int64_t chunks() const { return static_cast<int64_t>(chunks_.size()); }
  int64_t bytes() const { return bytes_; }

  // The chunks of each owner, in order.
  std::vector<std::vector<int64_t>> chunks_by_owner() const;

 private:
  struct Chunk {
    int64_t offset = 0;
    int64_t bytes = 0;
    int owner = 0;
  };

  ScratchFile file_;
  int64_t bytes_ = 0;  // end of the data in the file
  std::vector<Chunk> chunks_;
  std::mutex mutex_;  // guards bytes_ and chunks_ while chunks are written
};

}  // namespace acevec
