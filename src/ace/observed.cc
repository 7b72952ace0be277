#include "ace/observed.h"

#include <algorithm>
#include <atomic>

#include "kernels/pair_filter.h"

namespace acevec {

namespace {

constexpr int64_t kWordBytes = 8;
constexpr int64_t kWordBits = 64;

// 64 well-mixed bits.
uint64_t hash_of(uint64_t id) {
  id *= 0x9e3779b97f4a7c15;
  id = (id ^ (id >> 32)) * 0xd6e8feb86659fd93;
  return id ^ (id >> 32);
}

template <class Region>
void describe(const std::vector<Region>& regions, const int32_t* ids, int64_t count,
              FilterItems& items) {
  for (int64_t i = 0; i < count; ++i) {
    const auto id = static_cast<uint32_t>(ids[i]);
    items.ids[i] = id;
    items.hashes[i] = hash_of(id);
    items.firsts[i] = regions[id].first;
    items.words[i] = regions[id].words;
  }
}

void prefetch_words(const uint64_t* words, const FilterPlaces& places, int64_t count) {
  for (int64_t i = 0; i < count; ++i) __builtin_prefetch(words + places.words[i]);
}

// In C++20 std::atomic_ref requires a non-const object, even for reading.
uint64_t load(uint64_t& word) {
  return std::atomic_ref(word).load(std::memory_order_relaxed);
}

void read(uint64_t* words, const FilterPlaces& places, int64_t count, uint8_t* observed) {
  for (int64_t i = 0; i < count; ++i) {
    observed[i] = (~load(words[places.words[i]]) & places.bits[i]) == 0;
  }
}

void write(uint64_t* words, const FilterPlaces& places, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint64_t& word = words[places.words[i]];
    const uint64_t bits = places.bits[i];
    // Most pairs are present already. Not writing leaves the cache line shared by its readers.
    if ((load(word) & bits) == bits) continue;
    std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed);
  }
}

// The words of a bitmap of items 0 .. id.
int64_t exact_words(size_t id) {
  return static_cast<int64_t>(id) / kWordBits + 1;
}

// The size, in words, of an item's region with `bits` bits per partner.
int64_t region_words(size_t id, double partners, double bits) {
  const double wanted = bits * partners / kWordBits;
  const int64_t exact = exact_words(id);
  if (wanted >= static_cast<double>(exact)) return exact;
  return std::max<int64_t>(static_cast<int64_t>(wanted), 1);
}

int64_t total_words(const std::vector<double>& partners, double bits) {
  int64_t sum = 0;
  for (size_t id = 0; id < partners.size(); ++id) sum += region_words(id, partners[id], bits);
  return sum;
}

// The most bits per partner with which all regions fit into `words`; each has at least one word.
double bits_for_partner(const std::vector<double>& partners, int64_t words) {
  double fits = 0;
  double high = 1 << 30;
  if (total_words(partners, high) <= words) return high;
  while (high - fits > 1e-4 * high) {
    const double middle = (fits + high) / 2;
    (total_words(partners, middle) <= words ? fits : high) = middle;
  }
  return fits;
}

}  // namespace

ObservedPairs::ObservedPairs(int64_t bytes, const std::vector<double>& partners) {
  constexpr int64_t kMost = 0xffffffff;  // largest index of a Region
  const int64_t most = std::clamp<int64_t>(bytes / kWordBytes, 1, kMost);
  const auto items = static_cast<int64_t>(partners.size());
  const double bits = items <= most ? bits_for_partner(partners, most) : 0;
  int64_t total = 0;
  for (size_t id = 0; id < partners.size(); ++id) {
    const int64_t words = region_words(id, partners[id], bits);
    const bool exact = words == exact_words(id) && items <= most;
    // If there are fewer words than items, several items share one.
    regions_.push_back(
        {static_cast<uint32_t>(total % most), exact ? 0 : static_cast<uint32_t>(words)});
    total += words;
  }
  const int64_t allocated = std::min(total, most) * kWordBytes;
  words_ = {static_cast<uint64_t*>(map_zeros(allocated)), Unmap{allocated}};
}

// An item is described once for all its pairs, and the pairs of one distance are set while the
// memory for those of the next is being prefetched.
void ObservedPairs::insert(const int32_t* ids, int64_t length, int64_t window) {
  FilterItems xs = {};
  FilterItems ys = {};
  FilterPlaces places[2];
  for (int64_t begin = 0; begin < length; begin += kFilterChunk) {
    describe(regions_, ids + begin, std::min(kFilterChunk, length - begin), xs);
    int64_t pending = 0;  // pairs in places[current ^ 1]
    int current = 0;
    for (int64_t distance = 1; distance <= window; ++distance) {
      const int64_t first = (distance - 1) / kFilterChunk * kFilterChunk;  // first of ys from begin
      const int64_t some = std::min(kFilterChunk, length - begin - distance);
      if (some <= 0) break;
      if (distance - 1 == first) {
        describe(regions_, ids + begin + first, std::min(2 * kFilterChunk, length - begin - first),
                 ys);
      }
      locate_each(xs, ys, distance - first, some, places[current]);
      prefetch_words(words_.get(), places[current], some);
      current ^= 1;
      write(words_.get(), places[current], pending);
      pending = some;
    }
    write(words_.get(), places[current ^ 1], pending);
  }
}

void ObservedPairs::prefetch(const int32_t* ids, int64_t count) const {
  for (int64_t i = 0; i < count; ++i) __builtin_prefetch(regions_.data() + ids[i]);
}

void ObservedPairs::find_all(const int32_t* xs, int64_t rows, const int32_t* ys, int64_t count,
                             uint8_t* observed) const {
  // Rows that are prefetched before the first of them is read, so that their cache misses overlap.
  constexpr int64_t kAhead = 4;
  FilterItems x_items = {};
  FilterItems y_items = {};
  FilterPlaces places[kAhead];
  for (int64_t begin = 0; begin < count; begin += kFilterChunk) {
    const int64_t some = std::min(kFilterChunk, count - begin);
    describe(regions_, ys + begin, some, y_items);
    for (int64_t i = 0; i < rows + kAhead; ++i) {
      FilterPlaces& row = places[i % kAhead];
      if (i >= kAhead) read(words_.get(), row, some, observed + (i - kAhead) * count + begin);
      if (i >= rows) continue;
      if (i % kFilterChunk == 0)
        describe(regions_, xs + i, std::min(kFilterChunk, rows - i), x_items);
      locate_row(x_items, i % kFilterChunk, y_items, some, row);
      prefetch_words(words_.get(), row, some);
    }
  }
}

}  // namespace acevec
