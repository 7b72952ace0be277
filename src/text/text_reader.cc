#include "text/text_reader.h"

#include "text/chunks.h"
#include "text/wiki/reader.h"

namespace acevec {

std::unique_ptr<TextReader> make_text_reader(Source& source, size_t bytes) {
  if (source.contents() == TextFormat::kWiki) return std::make_unique<WikiReader>(source, bytes);
  return std::make_unique<ChunkReader>(source, bytes);
}

}  // namespace acevec
