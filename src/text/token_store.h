// The text as ids, in a temporary file: written once while the text is read, then read in every
// epoch. Memory stays the same however long the text is.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace acevec {

// Marks the end of a line among ids.
inline constexpr int32_t kLineEnd = -1;

// Chunks of provisional ids, each in the numbering of the thread that read it (its owner). An id
// below 2¹⁵ − 1 takes 2 bytes, others 4: since ids are given out as words first appear, frequent
// words have small ones. Writing and reading are safe from several threads.
//
// The file is read with pread and not mapped: mapped pages would count as the process's memory,
// which would then seem to grow with the text.
class TokenStore {
 public:
  // `begin`: where in the file the first chunk goes. Throws Error when no temporary file can be
  // made.
  explicit TokenStore(int64_t begin = 0);
  ~TokenStore();
  TokenStore(TokenStore&& other) noexcept;
  TokenStore& operator=(TokenStore&&) = delete;

  // Appends chunk number `index`: ids ≥ 0 and kLineEnd. Chunks may come in any order.
  // Throws Error, for example when the disk is full.
  void write(int64_t index, int owner, const std::vector<int32_t>& tokens);

  // Reads a chunk back. Returns its owner. Throws Error when the file cannot be read.
  int read(int64_t index, std::vector<int32_t>& tokens) const;

  int64_t chunks() const { return static_cast<int64_t>(chunks_.size()); }
  int64_t bytes() const { return bytes_ - begin_; }

 private:
  struct Chunk {
    int64_t offset = 0;
    int64_t bytes = 0;
    int owner = 0;
  };

  int descriptor_;
  int64_t begin_;
  int64_t bytes_;  // in the file, from its start
  std::vector<Chunk> chunks_;
  std::mutex mutex_;  // guards the two above while chunks are written
};

}  // namespace acevec
