#include "kernels/pair_filter.h"

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

using Words = hn::CappedTag<uint64_t, 8>;
using Wide = hn::Vec<Words>;
constexpr Words kWords;
constexpr int64_t kWideLanes = static_cast<int64_t>(hn::MaxLanes(kWords));

struct Item {
  Wide id, hash, first, words;
};

HWY_INLINE Item Load(const FilterItems& items, int64_t i) {
  return {hn::LoadU(kWords, items.ids + i), hn::LoadU(kWords, items.hashes + i),
          hn::LoadU(kWords, items.firsts + i), hn::LoadU(kWords, items.words + i)};
}

HWY_INLINE Item Repeat(const FilterItems& items, int64_t i) {
  return {hn::Set(kWords, items.ids[i]), hn::Set(kWords, items.hashes[i]),
          hn::Set(kWords, items.firsts[i]), hn::Set(kWords, items.words[i])};
}

HWY_INLINE Wide BitAt(Wide position) {
  return hn::Shl(hn::Set(kWords, uint64_t{1}), hn::And(position, hn::Set(kWords, uint64_t{63})));
}

// high · n / 2³², where high is the upper half of the hash: 0 .. n − 1.
HWY_INLINE Wide Scale(Wide hash, Wide n) {
  const hn::Repartition<uint32_t, Words> halves;
  return hn::ShiftRight<32>(
      hn::MulEven(hn::BitCast(halves, hn::ShiftRight<32>(hash)), hn::BitCast(halves, n)));
}

// Sets places[i ..] for the pairs {x, y}. A pair's hash is the sum of its items'. Its high end
// selects the word, and three groups of six bits at its low end the bits in the word.
HWY_INLINE void LocatePairs(const Item& x, const Item& y, FilterPlaces& places, int64_t i) {
  const auto y_is_rarer = hn::Gt(y.id, x.id);
  const Wide first = hn::IfThenElse(y_is_rarer, y.first, x.first);
  const Wide words = hn::IfThenElse(y_is_rarer, y.words, x.words);
  const Wide partner = hn::IfThenElse(y_is_rarer, x.id, y.id);
  const auto exact = hn::Eq(words, hn::Zero(kWords));
  const Wide hash = hn::Add(x.hash, y.hash);
  const Wide three_bits =
      hn::Or(hn::Or(BitAt(hash), BitAt(hn::ShiftRight<6>(hash))), BitAt(hn::ShiftRight<12>(hash)));
  const Wide word = hn::IfThenElse(exact, hn::ShiftRight<6>(partner), Scale(hash, words));
  hn::Store(hn::Add(first, word), kWords, places.words + i);
  hn::Store(hn::IfThenElse(exact, BitAt(partner), three_bits), kWords, places.bits + i);
}

void LocateRow(const FilterItems& xs, int64_t row, const FilterItems& ys, int64_t count,
               FilterPlaces& places) {
  const Item x = Repeat(xs, row);
  for (int64_t i = 0; i < count; i += kWideLanes) LocatePairs(x, Load(ys, i), places, i);
}

void LocateEach(const FilterItems& xs, const FilterItems& ys, int64_t shift, int64_t count,
                FilterPlaces& places) {
  for (int64_t i = 0; i < count; i += kWideLanes) {
    LocatePairs(Load(xs, i), Load(ys, i + shift), places, i);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(locate_row, LocateRow);
ACEVEC_KERNEL(locate_each, LocateEach);

}  // namespace acevec
#endif  // HWY_ONCE
