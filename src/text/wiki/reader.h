// MediaWiki's dumps -> chunks of plain text.
#pragma once

#include <cstdint>
#include <mutex>

#include "text/text_reader.h"
#include "text/wiki/dump.h"

namespace acevec {

// One thread at a time parses XML; each takes the markup off the articles that it got by itself.
class WikiReader : public TextReader {
 public:
  // `bytes`: wikitext that makes a chunk; an article more than that is a chunk of its own.
  WikiReader(Source& source, size_t bytes) : source_(source), dump_(source), bytes_(bytes) {}

  bool next(TextChunk& chunk) override;

 private:
  std::mutex mutex_;
  Source& source_;
  WikiDump dump_;
  size_t bytes_;
  int64_t next_index_ = 0;
};

}  // namespace acevec
