#include "text/word_runs.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

namespace acevec {
namespace {

constexpr size_t kBlock = 1 << 20;  // bytes written or read at once

// What stands before each word.
struct Head {
  int64_t count;
  uint32_t id;
  uint32_t length;
};

void append(const WordCounter& table, uint32_t id, std::string& bytes) {
  const std::string_view word = table.word(id);
  const Head head{table.count(id), id, static_cast<uint32_t>(word.size())};
  bytes.append(reinterpret_cast<const char*>(&head), sizeof(head));
  bytes.append(word);
}

// Visits the whole entries at the start of `bytes` and returns what is left: part of one.
std::string_view visit_entries(std::string_view bytes, const WordRuns::Visit& visit) {
  for (Head head; bytes.size() >= sizeof(head);) {
    std::memcpy(&head, bytes.data(), sizeof(head));
    if (bytes.size() < sizeof(head) + head.length) break;
    visit(bytes.substr(sizeof(head), head.length), head.id, head.count);
    bytes.remove_prefix(sizeof(head) + head.length);
  }
  return bytes;
}

}  // namespace

int WordRuns::write(const WordCounter& table) {
  std::vector<uint32_t> ids(table.size());
  std::iota(ids.begin(), ids.end(), 0U);
  std::ranges::sort(ids, {}, [&](uint32_t id) { return std::pair(piece_of(table, id), id); });
  Offsets offsets{};
  for (const uint32_t id : ids) {
    offsets[static_cast<size_t>(piece_of(table, id)) + 1] +=
        static_cast<int64_t>(sizeof(Head) + table.word(id).size());
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());

  int run = 0;
  int64_t at = 0;
  {
    const std::lock_guard lock(mutex_);
    run = static_cast<int>(runs_.size());
    at = bytes_;
    bytes_ += offsets.back();
    for (int64_t& offset : offsets) offset += at;
    runs_.push_back(offsets);
  }
  std::string block;
  const auto write_block = [&] {
    file_.write(block.data(), static_cast<int64_t>(block.size()), at);
    at += static_cast<int64_t>(block.size());
    block.clear();
  };
  for (const uint32_t id : ids) {
    append(table, id, block);
    if (block.size() >= kBlock) write_block();
  }
  write_block();
  return run;
}

void WordRuns::read(int run, int first, int last, const Visit& visit) const {
  const Offsets& offsets = runs_[static_cast<size_t>(run)];
  int64_t at = offsets[static_cast<size_t>(first)];
  const int64_t end = offsets[static_cast<size_t>(last)];
  std::string block;
  while (at < end) {
    const size_t had = block.size();
    const int64_t more = std::min(static_cast<int64_t>(kBlock), end - at);
    block.resize(had + static_cast<size_t>(more));
    file_.read(block.data() + had, more, at);
    at += more;
    block = std::string(visit_entries(block, visit));
  }
}

}  // namespace acevec
