// The first pass over a text: its tokens become ids, and its words are counted.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "text/source.h"
#include "text/token_store.h"
#include "text/tokenizer.h"
#include "text/word_counts.h"

namespace acevec {

// The usual size of a chunk: small enough to keep all threads busy to the end of an epoch, large
// enough that a line longer than a chunk loses next to nothing where it is cut.
inline constexpr size_t kChunkBytes = 256 << 10;

struct ReadSettings {
  TokenMode mode = TokenMode::kSpace;
  int threads = 1;
  // What counting may take: words beyond that are counted on the disk (WordCounts).
  int64_t counting_bytes = std::numeric_limits<int64_t>::max();
  size_t chunk_bytes = kChunkBytes;
};

// Called now and then, by one thread at a time, with the part of the source that has been read
// (negative: unknown) and the tokens so far.
using ReadProgress = std::function<void(double fraction, int64_t tokens)>;

// A text in ids that are provisional: a chunk's are those of the table that counted it, which is
// its owner in the store.
struct CountedText {
  // Reads `source` to its end. Throws Error when the source or a temporary file fails.
  CountedText(Source& source, const ReadSettings& settings, const ReadProgress& progress);

  std::unique_ptr<TokenStore> store = std::make_unique<TokenStore>();
  WordCounts counts;
  TextReport report;
  std::vector<int64_t> lines;  // line ends in each chunk
  uint64_t fingerprint = 0;    // the same for the same bytes, whatever file they are in
};

}  // namespace acevec
