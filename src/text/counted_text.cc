#include "text/counted_text.h"

#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "base/parallel.h"
#include "text/text_reader.h"
#include "text/token_ids.h"

namespace acevec {
namespace {

constexpr size_t kTokenBytes = 8;  // of a token and what separates it, about

}  // namespace

CountedText::CountedText(Source& source, const ReadSettings& settings, const ReadProgress& progress)
    : counts(settings.threads, settings.counting_bytes) {
  const std::unique_ptr<TextReader> reader = make_text_reader(source, settings.chunk_bytes);
  std::mutex mutex;
  bool unfinished = false;  // the text ends with tokens that no line end follows
  in_parallel(settings.threads, [&](int thread) {
    std::vector<int32_t> ids;
    for (TextChunk chunk; reader->next(chunk);) {
      TextReport own = chunk.report;
      const uint64_t hash = XXH3_64bits_withSeed(chunk.text.data(), chunk.text.size(),
                                                 static_cast<XXH64_hash_t>(chunk.index));
      if (settings.mode == TokenMode::kWords) {
        chunk.text = separate_words(chunk.text, own.invalid_tokens);
      }
      WordCounts::Table& table = counts.table(thread, chunk.text.size() / kTokenBytes);
      ids.clear();
      append_ids(chunk.text, own, ids, [&](std::span<const KeyedWord> words, int32_t* found) {
        table.words.add_all(words, found);
      });
      store->write(chunk.index, table.number, ids);
      const std::lock_guard lock(mutex);
      report += own;
      fingerprint += hash;  // a sum, since chunks come in any order
      const auto at = static_cast<size_t>(chunk.index);
      if (at >= lines.size()) {
        lines.resize(at + 1);
        unfinished = !ids.empty() && ids.back() != kLineEnd;
      }
      lines[at] = own.lines;
      progress(chunk.fraction, report.tokens);
    }
  });
  report.lines += unfinished ? 1 : 0;
  counts.finish();
}

}  // namespace acevec
