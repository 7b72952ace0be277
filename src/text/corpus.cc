#include "text/corpus.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <string_view>

#include "base/parallel.h"
#include "base/random.h"
#include "text/text_reader.h"
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
  report.pages += chunk.pages;
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

// Calls use(line, begin, end) for each line of `ids`, its end included; lines are numbered from
// `line` on.
template <class Use>
void for_each_line(std::vector<int32_t>& ids, int64_t line, Use use) {
  for (auto begin = ids.begin(); begin != ids.end(); ++line) {
    auto end = std::find(begin, ids.end(), kLineEnd);
    if (end != ids.end()) ++end;
    use(line, begin, end);
    begin = end;
  }
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
               const std::function<void(double, int64_t)>& progress)
    : heldout_part_(settings.heldout), seed_(settings.seed) {
  const std::unique_ptr<TextReader> reader = make_text_reader(source, kChunkBytes);
  std::vector<WordCounter> counters(static_cast<size_t>(settings.threads));
  std::mutex mutex;
  bool unfinished = false;  // the text ends with tokens that no line end follows
  in_parallel(settings.threads, [&](int thread) {
    WordCounter& counter = counters[static_cast<size_t>(thread)];
    std::vector<int32_t> tokens;
    for (TextChunk chunk; reader->next(chunk);) {
      TextReport report;
      const uint64_t hash = XXH3_64bits_withSeed(chunk.text.data(), chunk.text.size(),
                                                 static_cast<XXH64_hash_t>(chunk.index));
      encode_chunk(chunk, settings.mode, counter, report, tokens);
      store_.write(chunk.index, thread, tokens);
      const std::lock_guard lock(mutex);
      report_ += report;
      fingerprint_ += hash;  // a sum, since chunks come in any order
      const auto at = static_cast<size_t>(chunk.index);
      if (at >= first_lines_.size()) {
        first_lines_.resize(at + 1);
        unfinished = !tokens.empty() && tokens.back() != kLineEnd;
      }
      first_lines_[at] = report.lines;
      progress(chunk.fraction, report_.tokens);
    }
  });

  report_.lines += unfinished ? 1 : 0;
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
  std::exclusive_scan(first_lines_.begin(), first_lines_.end(), first_lines_.begin(), int64_t{0});
  if (heldout_part_ > 0) hold_out(settings.threads);
}

bool Corpus::is_held_out(int64_t line) const {
  Random random(seed_, Stream::kHeldOutLines, line);
  return static_cast<double>(random() >> 11) * 0x1p-53 < heldout_part_;
}

// Gathers the lines that are held out.
void Corpus::hold_out(int threads) {
  constexpr size_t kPiece = 1 << 14;
  std::vector<std::vector<int32_t>> found(static_cast<size_t>(chunks()));
  for_each_piece(threads, chunks(), [&](int, int64_t chunk) {
    std::vector<int32_t> ids;
    read_all(chunk, ids);
    std::vector<int32_t>& kept = found[static_cast<size_t>(chunk)];
    for_each_line(ids, first_lines_[static_cast<size_t>(chunk)],
                  [&](int64_t line, auto begin, auto end) {
                    if (is_held_out(line)) kept.insert(kept.end(), begin, end);
                  });
  });
  for (const std::vector<int32_t>& ids : found) {
    if (ids.empty()) continue;
    if (heldout_.empty() || heldout_.back().size() >= kPiece) heldout_.emplace_back();
    heldout_.back().insert(heldout_.back().end(), ids.begin(), ids.end());
    heldout_tokens_ += std::count_if(ids.begin(), ids.end(), [](int32_t id) { return id >= 0; });
  }
  kept_tokens_ -= heldout_tokens_;
}

void Corpus::read(int64_t chunk, std::vector<int32_t>& ids) const {
  read_all(chunk, ids);
  if (heldout_part_ == 0) return;
  auto kept = ids.begin();
  for_each_line(ids, first_lines_[static_cast<size_t>(chunk)],
                [&](int64_t line, auto begin, auto end) {
                  if (!is_held_out(line)) kept = std::copy(begin, end, kept);
                });
  ids.erase(kept, ids.end());
}

void Corpus::read_all(int64_t chunk, std::vector<int32_t>& ids) const {
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
