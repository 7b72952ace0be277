#include "ace/observed.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>

namespace acevec {
namespace {

constexpr int64_t kWordBytes = 8;
constexpr int64_t kLeastBytes = 64;  // a cache line

// 64 well-mixed bits for an id. A pair's hash is the sum of its two keys: after one key for each
// side an addition is all that a pair costs.
uint64_t key(uint64_t id) {
  id *= 0x9e3779b97f4a7c15;
  id = (id ^ (id >> 32)) * 0xd6e8feb86659fd93;
  return id ^ (id >> 32);
}

// The bits of a pair inside its word, from the low end of the hash; the word is from the high end.
uint64_t bits_of(uint64_t pair) {
  return uint64_t{1} << (pair & 63) | uint64_t{1} << (pair >> 6 & 63) |
         uint64_t{1} << (pair >> 12 & 63);
}

// In C++20 an atomic_ref needs an object that may be written, even to read it.
bool holds(uint64_t& word, uint64_t pair) {
  const uint64_t bits = std::atomic_ref(word).load(std::memory_order_relaxed);
  return (bits >> (pair & 63) & bits >> (pair >> 6 & 63) & bits >> (pair >> 12 & 63) & 1) != 0;
}

int64_t rounded(int64_t bytes) {
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::max(bytes, kLeastBytes))));
}

uint64_t* map_zeros(int64_t bytes) {
  void* memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // As for a Matrix: every lookup is somewhere else. Advice only.
  madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return static_cast<uint64_t*>(memory);
}

}  // namespace

void ObservedPairs::Unmap::operator()(uint64_t* words) const {
  munmap(words, static_cast<size_t>(bytes));
}

ObservedPairs::ObservedPairs(int64_t bytes, Order order)
    : words_(map_zeros(rounded(bytes)), Unmap{rounded(bytes)}),
      shift_(64 - std::countr_zero(static_cast<uint64_t>(rounded(bytes) / kWordBytes))),
      salt_(order == Order::kOrdered ? uint64_t{1} << 32 : 0) {}

uint64_t ObservedPairs::first_key(int32_t x) const {
  return key(static_cast<uint32_t>(x) + salt_);
}

void ObservedPairs::insert_pair(uint64_t pair) {
  uint64_t& word = word_of(pair);
  // Most pairs come again and again: leave the line unwritten, for other cores read it too.
  if (!holds(word, pair)) {
    std::atomic_ref(word).fetch_or(bits_of(pair), std::memory_order_relaxed);
  }
}

void ObservedPairs::insert(int32_t x, int32_t y) {
  insert_pair(first_key(x) + key(static_cast<uint32_t>(y)));
}

void ObservedPairs::insert(int32_t x, const int32_t* ys, int64_t count) {
  prefetch(x, ys, count);
  for (int64_t i = 0; i < count; ++i) insert(x, ys[i]);
}

void ObservedPairs::find(int32_t x, const int32_t* ys, int64_t count, uint8_t* observed) const {
  const uint64_t first = first_key(x);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t pair = first + key(static_cast<uint32_t>(ys[i]));
    observed[i] = holds(word_of(pair), pair);
  }
}

void ObservedPairs::prefetch(int32_t x, const int32_t* ys, int64_t count) const {
  const uint64_t first = first_key(x);
  for (int64_t i = 0; i < count; ++i) {
    __builtin_prefetch(&word_of(first + key(static_cast<uint32_t>(ys[i]))));
  }
}

void ObservedPairs::find_all(const int32_t* xs, int64_t rows, const int32_t* ys, int64_t count,
                             uint8_t* observed) const {
  constexpr int64_t kChunk = 64;  // candidates whose keys are kept
  constexpr int64_t kAhead = 2;   // rows
  uint64_t keys[kChunk];
  for (int64_t begin = 0; begin < count; begin += kChunk) {
    const int64_t some = std::min(kChunk, count - begin);
    for (int64_t k = 0; k < some; ++k) keys[k] = key(static_cast<uint32_t>(ys[begin + k]));
    for (int64_t i = -kAhead; i < rows; ++i) {
      if (i + kAhead < rows) {
        const uint64_t first = first_key(xs[i + kAhead]);
        for (int64_t k = 0; k < some; ++k) __builtin_prefetch(&word_of(first + keys[k]));
      }
      if (i < 0) continue;
      const uint64_t first = first_key(xs[i]);
      for (int64_t k = 0; k < some; ++k) {
        observed[i * count + begin + k] = holds(word_of(first + keys[k]), first + keys[k]);
      }
    }
  }
}

double ObservedPairs::false_positive_rate() const {
  constexpr int64_t kMostCounted = 1 << 22;
  const int64_t words = bytes() / kWordBytes;
  const int64_t step = std::max<int64_t>(words / kMostCounted, 1);
  double sum = 0;
  for (int64_t i = 0; i < words; i += step) {
    uint64_t& word = words_[static_cast<size_t>(i)];
    const int set = std::popcount(std::atomic_ref(word).load(std::memory_order_relaxed));
    const double share = set / 64.0;
    sum += share * share * share;
  }
  return sum / static_cast<double>(words / step);
}

int64_t ObservedPairs::bytes() const { return words_.get_deleter().bytes; }

}  // namespace acevec
