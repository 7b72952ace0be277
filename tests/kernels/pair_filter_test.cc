// The places of pairs against their definition, for every instruction set.

#include "kernels/pair_filter.h"

#include <doctest/doctest.h>

#include <memory>

#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

// Items of ids below 1000, of which some have a bit for each partner and some few words.
FilterItems random_items(Random& random) {
  FilterItems items;
  for (int64_t i = 0; i < 2 * kFilterChunk; ++i) {
    items.ids[i] = random.below(1000);
    items.hashes[i] = random();
    items.firsts[i] = random();
    items.words[i] = random.below(3) == 0 ? 0 : 1 + random.below(100);
  }
  return items;
}

struct Place {
  uint64_t word, bits;
  bool operator==(const Place&) const = default;
};

// The region is the rarer item's.
Place place_of(const FilterItems& xs, int64_t x, const FilterItems& ys, int64_t y) {
  const bool y_is_rarer = ys.ids[y] > xs.ids[x];
  const uint64_t first = y_is_rarer ? ys.firsts[y] : xs.firsts[x];
  const uint64_t words = y_is_rarer ? ys.words[y] : xs.words[x];
  const uint64_t partner = y_is_rarer ? xs.ids[x] : ys.ids[y];
  const auto bit = [](uint64_t number) { return uint64_t{1} << number % 64; };
  if (words == 0) return {first + partner / 64, bit(partner)};
  const uint64_t hash = xs.hashes[x] + ys.hashes[y];
  return {first + ((hash >> 32) * words >> 32), bit(hash) | bit(hash >> 6) | bit(hash >> 12)};
}

}  // namespace

TEST_CASE("pairs are located in the region of their rarer item") {
  for_each_instruction_set([] {
    Random random(1);
    const auto xs = std::make_unique<FilterItems>(random_items(random));
    const auto ys = std::make_unique<FilterItems>(random_items(random));
    FilterPlaces of_row, of_each;
    constexpr int64_t kRow = 70;
    constexpr int64_t kShift = 5;
    locate_row(*xs, kRow, *ys, kFilterChunk, of_row);
    locate_each(*xs, *ys, kShift, kFilterChunk, of_each);
    for (int64_t i = 0; i < kFilterChunk; ++i) {
      CHECK(Place{of_row.words[i], of_row.bits[i]} == place_of(*xs, kRow, *ys, i));
      CHECK(Place{of_each.words[i], of_each.bits[i]} == place_of(*xs, i, *ys, i + kShift));
    }
  });
}

}  // namespace acevec
