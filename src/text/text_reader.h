// Text input in any format, in chunks that threads process independently.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "text/source.h"
#include "text/tokenizer.h"

namespace acevec {

// The usual size of a chunk: small enough to keep all threads busy to the end of an epoch, large
// enough that cutting a line longer than a chunk loses next to nothing.
inline constexpr size_t kChunkBytes = 256 << 10;

struct TextChunk {
  int64_t index = 0;    // 0, 1, 2, ... in text order
  std::string text;     // whole tokens; ends with a line end unless a line is longer than a chunk
                        // or the text ends without one
  TextReport report{};  // so far: dropped tokens longer than a whole chunk, and a wiki's pages
  double fraction = 0;  // fraction of the source read by now; negative when unknown
};

// next() may be called from several threads: while one reads, the others process their chunks.
class TextReader {
 public:
  TextReader(Source& source, size_t bytes) : source_(source), bytes_(bytes) {}
  virtual ~TextReader() = default;

  // Reads the next chunk into `chunk`, reusing its memory. Returns false at the end of the text.
  // Throws Error once when the source fails or has another format; for other threads the text then
  // ends.
  virtual bool next(TextChunk& chunk) = 0;

 protected:
  // Sets the chunk's index and fraction.
  void number(TextChunk& chunk) {
    chunk.index = next_index_++;
    chunk.fraction = source_.fraction();
  }

  // Appends the next `size` bytes of the source to `text`. Returns false at its end.
  bool read_more(size_t size, std::string& text);

  std::mutex mutex_;  // held by the thread that reads
  Source& source_;
  size_t bytes_;         // usual size of a chunk
  std::string carried_;  // the start of a line whose end has not been read yet
  bool ended_ = false;

 private:
  // Throws Error unless the first of `bytes` look like text. Each of several files is checked,
  // because a folder may have pictures and programs, which would go unnoticed among many words.
  void require_text_of_file(std::string_view bytes);

  std::string checked_file_;  // the last checked file
  int64_t next_index_ = 0;
};

// Returns a reader for the source's format. `bytes`: the usual size of a chunk, for a wiki in
// wikitext; a longer article is a chunk of its own.
std::unique_ptr<TextReader> make_text_reader(Source& source, size_t bytes = kChunkBytes);

}  // namespace acevec
