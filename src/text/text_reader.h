// Text in, in chunks that threads can work on apart, whatever format it comes in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "text/source.h"
#include "text/tokenizer.h"

namespace acevec {

struct TextChunk {
  int64_t index = 0;    // 0, 1, 2, ... in the order of the text
  std::string text;     // whole tokens; ends with a line end unless a line is longer than a chunk
                        // or the text ends without one
  TextReport report{};  // so far: tokens longer than a whole chunk, left out, and a wiki's pages
  double fraction = 0;  // part of the source read by now; negative when unknown
};

// next() may be called from several threads: while one reads, the others work on what they have.
class TextReader {
 public:
  virtual ~TextReader() = default;

  // Puts the next chunk into `chunk`, reusing its memory. Returns false at the end of the text.
  // Throws Error when the source fails or is not of its format, once: for the other threads the
  // text ends there.
  virtual bool next(TextChunk& chunk) = 0;
};

// A reader for the source's format. `bytes`: the usual size of a chunk, of a wiki in wikitext; an
// article of more than that is a chunk of its own.
std::unique_ptr<TextReader> make_text_reader(Source& source, size_t bytes);

}  // namespace acevec
