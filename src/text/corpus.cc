#include "text/corpus.h"

#include <mutex>
#include <string_view>

#include "base/parallel.h"
#include "text/chunks.h"
#include "text/word_counter.h"

namespace acevec {
namespace {

// Small enough to keep all threads busy to the end of an epoch, large enough that a line longer
// than a chunk loses next to nothing where it is cut.
constexpr size_t kChunkBytes = 256 << 10;

constexpr int32_t kDropped = -2;

// Turns one chunk into provisional ids.
void encode_chunk(TextChunk& chunk, TokenMode mode, WordCounter& counter, TextReport& report,
                  std::vector<int32_t>& tokens) {
  tokens.clear();
  report.long_tokens += chunk.dropped_tokens;
  if (mode == TokenMode::kWords) chunk.text = separate_words(chunk.text, report.invalid_tokens);
  split_tokens(
      chunk.text, report,
      [&](std::string_view token) { tokens.push_back(static_cast<int32_t>(counter.add(token))); },
      [&] { tokens.push_back(kLineEnd); });
}

// All counters' words in one, and for each counter the merged id of each of its ids.
WordCounter merge(std::vector<WordCounter>& counters,
                  std::vector<std::vector<int32_t>>& merged_ids) {
  WordCounter merged = std::move(counters[0]);
  merged_ids.resize(counters.size());
  for (size_t id = 0; id < merged.size(); ++id) {
    merged_ids[0].push_back(static_cast<int32_t>(id));
  }
  for (size_t owner = 1; owner < counters.size(); ++owner) {
    for (size_t id = 0; id < counters[owner].size(); ++id) {
      merged_ids[owner].push_back(
          static_cast<int32_t>(merged.add(counters[owner].word(id), counters[owner].count(id))));
    }
    counters[owner] = WordCounter();
  }
  return merged;
}

std::vector<WordCount> words_of(const WordCounter& counter) {
  std::vector<WordCount> words;
  words.reserve(counter.size());
  for (size_t id = 0; id < counter.size(); ++id) {
    words.push_back({std::string(counter.word(id)), counter.count(id)});
  }
  return words;
}

}  // namespace

Corpus::Corpus(Source& source, const CorpusSettings& settings,
               const std::function<void(double, int64_t)>& progress) {
  ChunkReader reader(source, kChunkBytes);
  std::vector<WordCounter> counters(static_cast<size_t>(settings.threads));
  std::mutex mutex;
  in_parallel(settings.threads, [&](int thread) {
    WordCounter& counter = counters[static_cast<size_t>(thread)];
    std::vector<int32_t> tokens;
    for (TextChunk chunk; reader.next(chunk);) {
      TextReport report;
      encode_chunk(chunk, settings.mode, counter, report, tokens);
      store_.write(chunk.index, thread, tokens);
      const std::lock_guard lock(mutex);
      report_ += report;
      progress(chunk.fraction, report_.tokens);
    }
  });

  const WordCounter merged = merge(counters, final_ids_);
  distinct_ = static_cast<int64_t>(merged.size());
  vocabulary_ =
      Vocabulary(settings.given_vocabulary.empty() ? words_of(merged) : settings.given_vocabulary,
                 settings.min_count, settings.max_words);

  std::vector<int32_t> final_of_merged(merged.size(), kDropped);
  for (int32_t id = 0; id < vocabulary_.size(); ++id) {
    const int32_t found = merged.find(vocabulary_.word(id));
    if (found < 0) continue;  // a given word that the text lacks
    final_of_merged[static_cast<size_t>(found)] = id;
    kept_tokens_ += merged.count(static_cast<size_t>(found));
  }
  for (std::vector<int32_t>& ids : final_ids_) {
    for (int32_t& id : ids) id = final_of_merged[static_cast<size_t>(id)];
  }
}

void Corpus::read(int64_t chunk, std::vector<int32_t>& ids) const {
  const int owner = store_.read(chunk, ids);
  const std::vector<int32_t>& final_ids = final_ids_[static_cast<size_t>(owner)];
  size_t kept = 0;
  for (const int32_t token : ids) {
    const int32_t id = token == kLineEnd ? kLineEnd : final_ids[static_cast<size_t>(token)];
    ids[kept] = id;
    kept += id == kDropped ? 0 : 1;
  }
  ids.resize(kept);
}

}  // namespace acevec
