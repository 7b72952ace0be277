#include "ace/observed.h"

#include <algorithm>
#include <atomic>
#include <bit>

// As in math/kernels.cc.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ace/observed.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A pair's hash is the sum of two keys, one of x and one of y: where each of some x meets each of
// some y, an addition is all that a pair costs. Its high end names the word, three groups of six
// bits at its low end the bits inside the word.
//
// words[i] and bits[i] of the pairs first + keys[i], i < count rounded up to a multiple of 8.
void Locate(uint64_t first, const uint64_t* keys, int64_t count, int shift, uint64_t* words,
            uint64_t* bits) {
  constexpr hn::CappedTag<uint64_t, 8> kWords;
  const auto one = hn::Set(kWords, uint64_t{1});
  const auto six_bits = hn::Set(kWords, uint64_t{63});
  const auto start = hn::Set(kWords, first);
  for (int64_t i = 0; i < count; i += static_cast<int64_t>(hn::Lanes(kWords))) {
    const auto pair = hn::Add(start, hn::LoadU(kWords, keys + i));
    hn::StoreU(hn::ShiftRightSame(pair, shift), kWords, words + i);
    const auto a = hn::Shl(one, hn::And(pair, six_bits));
    const auto b = hn::Shl(one, hn::And(hn::ShiftRight<6>(pair), six_bits));
    const auto c = hn::Shl(one, hn::And(hn::ShiftRight<12>(pair), six_bits));
    hn::StoreU(hn::Or(hn::Or(a, b), c), kWords, bits + i);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

HWY_EXPORT(Locate);

namespace {

// Candidates that are looked up together: enough to keep the memory busy.
constexpr int64_t kChunk = 64;

// Where their pairs with one x are.
struct Places {
  uint64_t words[kChunk];  // index
  uint64_t bits[kChunk];   // the three that are set if the pair was observed
};

constexpr int64_t kWordBytes = 8;
constexpr int64_t kLeastBytes = 64;  // a cache line

// 64 well-mixed bits.
uint64_t key(uint64_t id) {
  id *= 0x9e3779b97f4a7c15;
  id = (id ^ (id >> 32)) * 0xd6e8feb86659fd93;
  return id ^ (id >> 32);
}

uint64_t first_key(int32_t x, uint64_t salt) {
  return key(static_cast<uint32_t>(x) + salt);
}
uint64_t second_key(int32_t y) {
  return key(static_cast<uint32_t>(y));
}

void second_keys(const int32_t* ys, int64_t count, uint64_t* keys) {
  for (int64_t i = 0; i < count; ++i) keys[i] = second_key(ys[i]);
}

// In C++20 an atomic_ref needs an object that may be written, even to read it.
uint64_t load(uint64_t& word) {
  return std::atomic_ref(word).load(std::memory_order_relaxed);
}

void read(uint64_t* words, const Places& places, int64_t count, uint8_t* observed) {
  for (int64_t i = 0; i < count; ++i) {
    observed[i] = (~load(words[places.words[i]]) & places.bits[i]) == 0;
  }
}

int64_t rounded(int64_t bytes) {
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::max(bytes, kLeastBytes))));
}

}  // namespace

ObservedPairs::ObservedPairs(int64_t bytes, Order order)
    : words_(static_cast<uint64_t*>(map_zeros(rounded(bytes))), Unmap{rounded(bytes)}),
      shift_(64 - std::countr_zero(static_cast<uint64_t>(rounded(bytes) / kWordBytes))),
      salt_(order == Order::kOrdered ? uint64_t{1} << 32 : 0) {}

void ObservedPairs::insert(int32_t x, int32_t y) {
  insert_pair(first_key(x, salt_) + second_key(y));
}

void ObservedPairs::insert_pair(uint64_t pair) {
  const uint64_t bits = uint64_t{1} << (pair & 63) | uint64_t{1} << (pair >> 6 & 63) |
                        uint64_t{1} << (pair >> 12 & 63);
  uint64_t& word = words_[pair >> shift_];
  // Most pairs come again and again: leave the line unwritten, for other cores read it too.
  if ((load(word) & bits) == bits) return;
  std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed);
}

void ObservedPairs::insert(const int32_t* xs, const int32_t* ys, int64_t count) {
  uint64_t pairs[kChunk];
  for (int64_t begin = 0; begin < count; begin += kChunk) {
    const int64_t some = std::min(kChunk, count - begin);
    for (int64_t i = 0; i < some; ++i) {
      pairs[i] = first_key(xs[begin + i], salt_) + second_key(ys[begin + i]);
      __builtin_prefetch(&words_[pairs[i] >> shift_]);
    }
    for (int64_t i = 0; i < some; ++i) insert_pair(pairs[i]);
  }
}

void ObservedPairs::find(int32_t x, const int32_t* ys, int64_t count, uint8_t* observed) const {
  uint64_t keys[kChunk] = {};
  Places places;
  for (int64_t begin = 0; begin < count; begin += kChunk) {
    const int64_t some = std::min(kChunk, count - begin);
    second_keys(ys + begin, some, keys);
    HWY_DYNAMIC_DISPATCH(Locate)
    (first_key(x, salt_), keys, some, shift_, places.words, places.bits);
    read(words_.get(), places, some, observed + begin);
  }
}

void ObservedPairs::prefetch(int32_t x, const int32_t* ys, int64_t count) const {
  const uint64_t first = first_key(x, salt_);
  for (int64_t i = 0; i < count; ++i) {
    __builtin_prefetch(&words_[(first + second_key(ys[i])) >> shift_]);
  }
}

void ObservedPairs::find_all(const int32_t* xs, int64_t rows, const int32_t* ys, int64_t count,
                             uint8_t* observed) const {
  uint64_t keys[kChunk] = {};
  Places places[2];  // of the row at hand and of the next
  for (int64_t begin = 0; begin < count; begin += kChunk) {
    const int64_t some = std::min(kChunk, count - begin);
    second_keys(ys + begin, some, keys);
    for (int64_t i = 0; i <= rows; ++i) {
      if (i < rows) {
        Places& next = places[i % 2];
        HWY_DYNAMIC_DISPATCH(Locate)
        (first_key(xs[i], salt_), keys, some, shift_, next.words, next.bits);
        for (int64_t k = 0; k < some; ++k) __builtin_prefetch(&words_[next.words[k]]);
      }
      if (i > 0) read(words_.get(), places[(i - 1) % 2], some, observed + (i - 1) * count + begin);
    }
  }
}

double ObservedPairs::false_positive_rate() const {
  constexpr int64_t kMostCounted = 1 << 22;
  const int64_t words = bytes() / kWordBytes;
  const int64_t step = std::max<int64_t>(words / kMostCounted, 1);
  double sum = 0;
  double counted = 0;
  for (int64_t i = 0; i < words; i += step) {
    const double share = std::popcount(load(words_[static_cast<size_t>(i)])) / 64.0;
    sum += share * share * share;
    counted += 1;
  }
  return sum / counted;
}

int64_t ObservedPairs::bytes() const {
  return words_.get_deleter().bytes;
}

}  // namespace acevec
#endif  // HWY_ONCE
