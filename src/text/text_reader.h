// Text in, whatever its format, in chunks that threads can work on apart.
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
// enough that a line longer than a chunk loses next to nothing where it is cut.
inline constexpr size_t kChunkBytes = 256 << 10;

struct TextChunk {
  int64_t index = 0;    // 0, 1, 2, ... in the order of the text
  std::string text;     // whole tokens; ends with a line end unless a line is longer than a chunk
                        // or the text ends without one
  TextReport report{};  // so far: tokens longer than a whole chunk, left out, and a wiki's pages
  double fraction = 0;  // part of the source read by now; negative when unknown
};

// next() may be called from several threads: while one reads, the others work on their chunks.
class TextReader {
 public:
  TextReader(Source& source, size_t bytes) : source_(source), bytes_(bytes) {}
  virtual ~TextReader() = default;

  // Puts the next chunk into `chunk`, reusing its memory. Returns false at the end of the text.
  // Throws Error when the source fails or has another format, once: for the other threads the text
  // ends there.
  virtual bool next(TextChunk& chunk) = 0;

 protected:
  // Gives the chunk its number and place in the source.
  void number(TextChunk& chunk) {
    chunk.index = next_index_++;
    chunk.fraction = source_.fraction();
  }

  // Appends the next `size` bytes of the source to `text`. Returns false at its end.
  bool read_more(size_t size, std::string& text);

  std::mutex mutex_;  // held by the thread that reads
  Source& source_;
  size_t bytes_;         // the usual size of a chunk
  std::string carried_;  // the start of a line whose end has not been read yet
  bool ended_ = false;

 private:
  // A folder may have pictures and programs, which are lost among many words, so each of several
  // files is looked at: at the first of its `bytes` that are enough to tell. Throws Error.
  void require_text_of_file(std::string_view bytes);

  std::string looked_at_;  // the last of the files that have been found to be text
  int64_t next_index_ = 0;
};

// A reader for the source's format. `bytes`: the usual size of a chunk, of a wiki in wikitext; an
// article of more than that is a chunk of its own.
std::unique_ptr<TextReader> make_text_reader(Source& source, size_t bytes = kChunkBytes);

}  // namespace acevec
