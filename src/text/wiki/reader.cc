#include "text/wiki/reader.h"

#include <string>
#include <vector>

#include "text/wiki/markup.h"

namespace acevec {

bool WikiReader::next(TextChunk& chunk) {
  std::vector<std::string> articles;
  {
    const std::lock_guard lock(mutex_);
    if (!dump_.next(bytes_, articles, chunk.pages)) return false;
    chunk.index = next_index_++;
    chunk.fraction = source_.fraction();
  }
  chunk.dropped_tokens = 0;
  chunk.text.clear();
  for (const std::string& article : articles) {
    append_plain_text(article, dump_.names(), chunk.text);
  }
  return true;
}

}  // namespace acevec
