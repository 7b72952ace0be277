#include "text/corpus.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <mutex>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "text/word_ids.h"

namespace acevec {
namespace {

constexpr size_t kTokenBytes = 8;  // average bytes of a token and its separator

constexpr int32_t kDropped = -2;

// Replaces a table's ids by final ids, and removes tokens without one.
void replace_ids(const std::vector<int32_t>& final_ids, std::vector<int32_t>& ids) {
  size_t kept = 0;
  for (const int32_t token : ids) {
    const int32_t id = token == kLineEnd ? kLineEnd : final_ids[static_cast<size_t>(token)];
    ids[kept] = id;
    kept += id == kDropped ? 0 : 1;
  }
  ids.resize(kept);
}

}  // namespace

CountedText::CountedText(Source& source, const CorpusSettings& settings,
                         const ReadProgress& progress)
    : counts(settings.threads, settings.counting_bytes) {
  const std::unique_ptr<TextReader> reader = make_text_reader(source, settings.chunk_bytes);
  std::mutex mutex;
  bool unfinished = false;  // the text does not end with a line end
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
      fingerprint += hash;  // a sum, since chunks arrive in any order
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

Corpus::Corpus(CountedText&& text, WordTotals totals, const CorpusSettings& settings)
    : store_(std::move(text.store)),
      vocabulary_(std::move(totals.words), settings.min_count, settings.max_words),
      report_(text.report),
      distinct_(totals.distinct),
      counting_disk_bytes_(text.counts.disk_bytes()),
      fingerprint_(text.fingerprint),
      heldout_part_(settings.heldout),
      seed_(settings.seed),
      first_lines_(std::move(text.lines)) {
  renumber(text.counts, settings.threads);
  std::exclusive_scan(first_lines_.begin(), first_lines_.end(), first_lines_.begin(),
                      settings.first_line);
  if (heldout_part_ > 0) hold_out(settings.threads);
}

// Computes the final ids of each table that has chunks. Those of a table in memory are kept, and
// applied when its chunks are read. The number of tables on disk is unbounded, so their chunks are
// rewritten.
void Corpus::renumber(const WordCounts& counts, int threads) {
  const WordIndex<Vocabulary> index = index_of(vocabulary_);
  const std::vector<std::vector<int64_t>> chunks_of = store_->chunks_by_owner();
  final_ids_.resize(chunks_of.size());
  std::atomic<int64_t> kept{0};
  for_each_piece(threads, static_cast<int64_t>(chunks_of.size()), [&](int, int64_t owner) {
    const std::vector<int64_t>& chunks = chunks_of[static_cast<size_t>(owner)];
    if (chunks.empty()) return;
    const int table = static_cast<int>(owner);
    std::vector<int32_t> final_ids(counts.words_in(table), kDropped);
    int64_t tokens = 0;
    counts.for_each_in(table, [&](std::string_view word, uint32_t own, int64_t count) {
      const int32_t id = index.find(word);
      if (id < 0) return;
      final_ids[own] = id;
      tokens += count;
    });
    kept += tokens;
    if (counts.in_memory(table)) {
      final_ids_[static_cast<size_t>(owner)] = std::move(final_ids);
      return;
    }
    std::vector<int32_t> ids;
    for (const int64_t chunk : chunks) {
      store_->read(chunk, ids);
      replace_ids(final_ids, ids);
      store_->write(chunk, table, ids);
    }
  });
  kept_tokens_ = kept;
}

// Collects the held-out lines.
void Corpus::hold_out(int threads) {
  constexpr size_t kPiece = 1 << 14;
  std::vector<std::vector<int32_t>> found(static_cast<size_t>(chunks()));
  for_each_piece(threads, chunks(), [&](int, int64_t chunk) {
    std::vector<int32_t> ids;
    read_lines(chunk, true, ids);
    found[static_cast<size_t>(chunk)].assign(ids.begin(), ids.end());  // without spare capacity
  });
  for (const std::vector<int32_t>& ids : found) {
    if (ids.empty()) continue;
    if (heldout_.empty() || heldout_.back().size() >= kPiece) heldout_.emplace_back();
    heldout_.back().insert(heldout_.back().end(), ids.begin(), ids.end());
    heldout_tokens_ += std::count_if(ids.begin(), ids.end(), [](int32_t id) { return id >= 0; });
  }
  kept_tokens_ -= heldout_tokens_;
}

// Reads the held-out lines of a chunk, or the others.
void Corpus::read_lines(int64_t chunk, bool held_out, std::vector<int32_t>& ids) const {
  const int owner = store_->read(chunk, ids);
  const std::vector<int32_t>& final_ids = final_ids_[static_cast<size_t>(owner)];
  if (!final_ids.empty()) replace_ids(final_ids, ids);
  if (heldout_part_ == 0) return;
  auto kept = ids.begin();
  int64_t line = first_lines_[static_cast<size_t>(chunk)];
  for (auto begin = ids.begin(); begin != ids.end(); ++line) {
    auto end = std::find(begin, ids.end(), kLineEnd);
    if (end != ids.end()) ++end;
    Random random(seed_, Stream::kHeldOutLines, line);
    const bool is_held_out = static_cast<double>(random() >> 11) * 0x1p-53 < heldout_part_;
    if (is_held_out == held_out) kept = std::copy(begin, end, kept);
    begin = end;
  }
  ids.erase(kept, ids.end());
}

Corpus read_corpus(Source& source, const CorpusSettings& settings, const ReadProgress& progress) {
  CountedText text(source, settings, progress);
  // With a given vocabulary, the counts only serve to count the distinct words.
  WordTotals totals =
      total_counts(text.counts, settings.threads, settings.least_count(), settings.max_words);
  if (!settings.given_vocabulary.empty()) totals.words = settings.given_vocabulary;
  return {std::move(text), std::move(totals), settings};
}

int64_t counting_memory(int64_t max_memory) {
  constexpr int64_t kLeast = 8 << 20;
  return std::max(kLeast, (max_memory > 0 ? max_memory : available_bytes()) / 4);
}

ReadProgress shown_on(Progress& progress) {
  return [&progress, watch = Stopwatch()](double fraction, int64_t tokens) {
    if (!progress.due()) return;
    std::vector<ProgressPart> parts{{"reading", 0}, {counted(tokens, "token"), 2}};
    if (fraction > 0) {
      const double left = watch.seconds() * (1 - fraction) / fraction;
      parts.front().text += format("  %5.1f%%", 100 * fraction);
      parts.push_back({"ETA " + clock_text(left), 1});
    }
    progress.show(parts);
  };
}

void require_text(const TextReport& report) {
  constexpr int64_t kFewest = 100;  // minimum number of tokens to judge by
  if (report.tokens == 0) throw Error("the text contains no tokens; check what -train reads");
  if (report.tokens < kFewest) return;
  if (report.invalid_tokens > report.tokens / 2) {
    const bool binary = report.nul_bytes > 0;
    throw Error(format("this is %s: %s of %s have other bytes; check what -train reads%s",
                       binary ? "a binary file" : "not text in UTF-8",
                       grouped(report.invalid_tokens).c_str(),
                       counted(report.tokens, "token").c_str(),
                       binary ? "" : ", or convert it, as by iconv -f latin1 -t UTF-8"));
  }
  if (report.nul_bytes > report.tokens / 2) {
    throw Error(format(
        "this is not text in UTF-8: it has %s in %s; check what -train reads, or "
        "convert it, as by iconv -f UTF-16LE -t UTF-8",
        counted(report.nul_bytes, "NUL byte").c_str(), counted(report.tokens, "token").c_str()));
  }
}

void note_repairs(const TextReport& report, Progress& progress) {
  const auto say = [&](const char* what, int64_t count, const char* noun, const char* more) {
    if (count > 0) progress.note(format("note: %s%s%s", what, counted(count, noun).c_str(), more));
  };
  say("left out ", report.long_tokens, "token", " longer than 1000 bytes");
  say("", report.invalid_tokens, "token", " contained invalid UTF-8; the bad bytes became U+FFFD");
  say("treated ", report.nul_bytes, "NUL byte", " as white space");
  if (report.json_starts > 0) {
    progress.note(
        "note: the text begins with a JSON object; -format jsonl reads the texts in lines of JSON");
  }
  const PageCounts& pages = report.pages;
  if (pages.total() > 0) {
    progress.note(format("articles: %s; left out %s and %s", grouped(pages.articles).c_str(),
                         counted(pages.redirects, "redirect").c_str(),
                         counted(pages.others, "other page").c_str()));
  }
  say("cut ", pages.cut, "article", " longer than 4 MiB there");
}

void note_punctuation(const std::vector<WordCount>& words, Progress& progress) {
  const int64_t usual = std::max<int64_t>(20, std::ssize(words) / 20);
  int64_t count = 0;
  const WordCount* example = nullptr;  // the most frequent, in whatever order the words are
  for (const WordCount& one : words) {
    const std::string_view word = one.word;
    const auto first = static_cast<unsigned char>(word.front());
    const bool begins_word = std::isalnum(first) != 0 || first >= 0x80;
    if (!begins_word || std::string_view(",.;:!?").find(word.back()) == std::string_view::npos)
      continue;
    if (++count == 1 || more_frequent(one, *example)) example = &one;
  }
  if (count <= usual) return;
  progress.note(format("note: %s end in punctuation, such as \"%s\"; -tokens words splits it off",
                       counted(count, "word").c_str(), excerpt(example->word).c_str()));
}

}  // namespace acevec
