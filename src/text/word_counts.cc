#include "text/word_counts.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "base/parallel.h"

namespace acevec {
namespace {

constexpr size_t kBlock = 1 << 20;  // bytes per write or read

// The header of each word in the file.
struct Head {
  int64_t count;
  uint32_t id;
  uint32_t length;
};

// Visits the complete entries at the start of `bytes` and returns the rest, a part of an entry.
std::string_view visit_entries(std::string_view bytes, const WordCounts::VisitWord& visit) {
  for (Head head; bytes.size() >= sizeof(head);) {
    std::memcpy(&head, bytes.data(), sizeof(head));
    if (bytes.size() < sizeof(head) + head.length) break;
    visit(bytes.substr(sizeof(head), head.length), head.id, head.count);
    bytes.remove_prefix(sizeof(head) + head.length);
  }
  return bytes;
}

int piece_of(const WordCounter& table, size_t id) {
  return table.hash_prefix(id) >> 6;
}

// The `most` most frequent of any number of added words; 0: all.
class Shortlist {
 public:
  explicit Shortlist(int64_t most) : most_(static_cast<size_t>(most)) {}

  void add(WordCount word) {
    words_.push_back(std::move(word));
    if (most_ == 0 || words_.size() < 2 * most_) return;
    std::nth_element(words_.begin(), words_.begin() + static_cast<ptrdiff_t>(most_), words_.end(),
                     more_frequent);
    words_.resize(most_);
  }

  std::vector<WordCount>& words() { return words_; }

 private:
  size_t most_;
  std::vector<WordCount> words_;
};

}  // namespace

WordCounts::WordCounts(int threads, int64_t most_bytes)
    : most_bytes_(most_bytes),
      share_(most_bytes / threads),
      current_(static_cast<size_t>(threads) + 1) {}

WordCounts::Table& WordCounts::table(int thread, size_t words) {
  Table*& table = current_[static_cast<size_t>(thread)];
  if (table != nullptr && table->words.size() > 0 && table->words.may_exceed(share_, words)) {
    write(*table);
    table = nullptr;
  }
  if (table == nullptr) {
    const std::lock_guard lock(mutex_);
    table = &tables_.emplace_back();
    table->number = tables() - 1;
  }
  return *table;
}

// Moves the words of a table to disk, grouped by piece.
void WordCounts::write(Table& table) {
  const WordCounter& words = table.words;
  std::vector<uint32_t> ids(words.size());
  std::iota(ids.begin(), ids.end(), 0U);
  std::ranges::sort(ids, {}, [&](uint32_t id) { return std::pair(piece_of(words, id), id); });
  std::vector<int64_t> places(kPieces + 1);
  for (const uint32_t id : ids) {
    places[static_cast<size_t>(piece_of(words, id)) + 1] +=
        static_cast<int64_t>(sizeof(Head) + words.word(id).size());
  }
  {
    const std::lock_guard lock(mutex_);
    if (!file_) file_.emplace("the counts of words", "it may take twice the size of the text");
    places[0] = disk_bytes_;
    std::partial_sum(places.begin(), places.end(), places.begin());
    disk_bytes_ = places.back();
  }
  std::string block;
  int64_t at = places[0];
  const auto write_block = [&] {
    file_->write(block.data(), static_cast<int64_t>(block.size()), at);
    at += static_cast<int64_t>(block.size());
    block.clear();
  };
  for (const uint32_t id : ids) {
    const std::string_view word = words.word(id);
    const Head head{words.count(id), id, static_cast<uint32_t>(word.size())};
    block.append(reinterpret_cast<const char*>(&head), sizeof(head)).append(word);
    if (block.size() >= kBlock) write_block();
  }
  write_block();
  table.places = std::move(places);
  table.size = words.size();
  table.words = WordCounter();
}

void WordCounts::finish() {
  if (!file_) return;
  for (Table* table : current_) {
    if (table != nullptr) write(*table);
  }
}

void WordCounts::add(const std::vector<WordCount>& words) {
  const int last = static_cast<int>(current_.size()) - 1;
  for (const auto& [word, count] : words) table(last, 1).words.add(word, count);
}

void WordCounts::for_each_in(int table, const VisitWord& visit, int first, int last) const {
  const Table& own = tables_[static_cast<size_t>(table)];
  if (own.places.empty()) {
    const WordCounter& words = own.words;
    for (size_t id = 0; id < words.size(); ++id) {
      const int piece = piece_of(words, id);
      if (piece < first || piece >= last) continue;
      visit(words.word(id), static_cast<uint32_t>(id), words.count(id));
    }
    return;
  }
  const int64_t end = own.places[static_cast<size_t>(last)];
  std::string block;
  for (int64_t at = own.places[static_cast<size_t>(first)]; at < end;) {
    const size_t had = block.size();
    const int64_t more = std::min(static_cast<int64_t>(kBlock), end - at);
    block.resize(had + static_cast<size_t>(more));
    file_->read(block.data() + had, more, at);
    at += more;
    block = std::string(visit_entries(block, visit));
  }
}

size_t WordCounts::words_in(int table) const {
  const Table& own = tables_[static_cast<size_t>(table)];
  return own.places.empty() ? own.words.size() : own.size;
}

// The words of all tables: an upper bound of the number of distinct words.
size_t WordCounts::most_words() const {
  size_t words = 0;
  for (int table = 0; table < tables(); ++table) words += words_in(table);
  return words;
}

int WordCounts::parts(int threads) const {
  const double bytes = static_cast<double>(most_words()) * WordCounter::kBytesPerWord * threads;
  int parts = 1;
  while (parts < kPieces && (parts < threads || bytes / parts > static_cast<double>(most_bytes_))) {
    parts *= 2;
  }
  return parts;
}

void WordCounts::for_each_total(int part, int parts, const Visit& visit) const {
  const int first = kPieces / parts * part;
  const int last = kPieces / parts * (part + 1);
  const auto for_each = [&](const Visit& use) {
    for (int table = 0; table < tables(); ++table) {
      for_each_in(
          table, [&](std::string_view word, uint32_t, int64_t count) { use(word, count); }, first,
          last);
    }
  };
  if (tables() == 1) return for_each(visit);
  WordCounter sums;
  sums.reserve(most_words() / static_cast<size_t>(parts));
  for_each([&](std::string_view word, int64_t count) { sums.add(word, count); });
  for (size_t id = 0; id < sums.size(); ++id) visit(sums.word(id), sums.count(id));
}

WordTotals total_counts(const WordCounts& counts, int threads, int64_t min_count,
                        int64_t max_words) {
  std::vector<Shortlist> shortlists(static_cast<size_t>(threads), Shortlist(max_words));
  std::vector<int64_t> distinct(static_cast<size_t>(threads));
  const int parts = counts.parts(threads);
  for_each_piece(threads, parts, [&](int thread, int64_t part) {
    counts.for_each_total(static_cast<int>(part), parts, [&](std::string_view word, int64_t count) {
      ++distinct[static_cast<size_t>(thread)];
      if (count >= min_count)
        shortlists[static_cast<size_t>(thread)].add({std::string(word), count});
    });
  });
  Shortlist& all = shortlists.front();
  for (size_t thread = 1; thread < shortlists.size(); ++thread) {
    for (WordCount& word : shortlists[thread].words()) all.add(std::move(word));
    shortlists[thread] = Shortlist(max_words);
  }
  return {std::move(all.words()), std::accumulate(distinct.begin(), distinct.end(), int64_t{0})};
}

}  // namespace acevec
