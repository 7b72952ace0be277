// Bytes -> chunks that begin and end between tokens, so that threads can work on them apart.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "text/source.h"

namespace acevec {

struct TextChunk {
  int64_t index = 0;           // 0, 1, 2, ... in the order of the text
  std::string text;            // whole tokens; ends with a line end unless a line is longer than
                               // a chunk or the text ends without one
  int64_t dropped_tokens = 0;  // tokens longer than a whole chunk, left out
  double fraction = 0;         // part of the source read by now; negative when unknown
};

// Cuts a Source into chunks. Safe to call from several threads: while one reads (and unpacks), the
// others work on the chunks they have.
class ChunkReader {
 public:
  // `bytes`: the usual size of a chunk.
  ChunkReader(Source& source, size_t bytes) : source_(source), bytes_(bytes) {}

  // Puts the next chunk into `chunk`, reusing its memory. Returns false at the end of the text.
  bool next(TextChunk& chunk);

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
