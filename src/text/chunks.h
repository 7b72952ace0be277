// Plain text -> chunks that begin and end between tokens.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "text/source.h"
#include "text/text_reader.h"

namespace acevec {

// Cuts a Source into chunks.
class ChunkReader : public TextReader {
 public:
  // `bytes`: the usual size of a chunk.
  ChunkReader(Source& source, size_t bytes) : source_(source), bytes_(bytes) {}

  bool next(TextChunk& chunk) override;

 private:
  bool fill(std::string& text);
  void skip_giant_token(TextChunk& chunk);

  std::mutex mutex_;
  Source& source_;
  size_t bytes_;
  int64_t next_index_ = 0;
  std::string carried_;  // the start of a line whose end has not been read yet
  bool ended_ = false;
};

}  // namespace acevec
