#include "text/counted_text.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

#include "base/parallel.h"
#include "text/text_reader.h"

namespace acevec {
namespace {

constexpr size_t kTokenBytes = 8;  // of a token and what separates it, about

// Tokens that wait for their ids, so that many are looked up at once.
class TokenBatch {
 public:
  TokenBatch(WordCounter& words, std::vector<int32_t>& ids) : words_(words), ids_(ids) {}

  // Leaves room for the id of a token, whose bytes must stay until flush().
  void add(std::string_view token) {
    tokens_[count_] = token;
    places_[count_] = ids_.size();
    ids_.push_back(0);
    if (++count_ == WordCounter::kTogether) flush();
  }

  void flush() {
    int32_t found[WordCounter::kTogether];
    words_.add_all({tokens_, count_}, found);
    for (size_t i = 0; i < count_; ++i) ids_[places_[i]] = found[i];
    count_ = 0;
  }

 private:
  WordCounter& words_;
  std::vector<int32_t>& ids_;
  std::string_view tokens_[WordCounter::kTogether];
  size_t places_[WordCounter::kTogether];
  size_t count_ = 0;
};

// Turns the text of one chunk into the ids of a table.
void encode_chunk(std::string_view text, WordCounter& words, TextReport& report,
                  std::vector<int32_t>& ids) {
  ids.clear();
  TokenBatch batch(words, ids);
  const auto in_text = [&](std::string_view token) {
    const std::less<> before;
    return !before(token.data(), text.data()) && before(token.data(), text.data() + text.size());
  };
  split_tokens(
      text, report,
      [&](std::string_view token) {
        batch.add(token);
        if (!in_text(token)) batch.flush();  // it was repaired and lasts no longer
      },
      [&] { ids.push_back(kLineEnd); });
  batch.flush();
}

}  // namespace

CountedText::CountedText(Source& source, const ReadSettings& settings, const ReadProgress& progress)
    : counts(settings.threads, settings.counting_bytes) {
  const std::unique_ptr<TextReader> reader = make_text_reader(source, settings.chunk_bytes);
  std::mutex mutex;
  bool unfinished = false;  // the text ends with tokens that no line end follows
  in_parallel(settings.threads, [&](int thread) {
    std::vector<int32_t> ids;
    for (TextChunk chunk; reader->next(chunk);) {
      TextReport own;
      own.long_tokens = chunk.dropped_tokens;
      own.pages = chunk.pages;
      const uint64_t hash = XXH3_64bits_withSeed(chunk.text.data(), chunk.text.size(),
                                                 static_cast<XXH64_hash_t>(chunk.index));
      if (settings.mode == TokenMode::kWords) {
        chunk.text = separate_words(chunk.text, own.invalid_tokens);
      }
      WordCounts::Table& table = counts.table(thread, chunk.text.size() / kTokenBytes);
      encode_chunk(chunk.text, table.words, own, ids);
      store.write(chunk.index, table.number, ids);
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
