// The entities that complete a triple with a missing entity.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "math/exact_pairs.h"
#include "tasks/kg/triple.h"

namespace acevec {

// For one side: what stands there with each pair of a kept entity and a relation. Such pairs that
// occur, in order, are the conditions of ExactPairs; there are no more of them than triples.
class KnownAnswers {
 public:
  KnownAnswers(Side side, int64_t entities, std::initializer_list<std::span<const Triple>> parts);

  // All known entities at this side with the triple's relation and its kept entity, in increasing
  // order; the triple's own entity at this side is not looked at.
  std::span<const int32_t> of(const Triple& triple) const;

  bool contains(const Triple& triple) const;

 private:
  int32_t condition(const Triple& triple) const;

  Side side_;
  std::vector<int32_t> begins_;     // of each kept entity's conditions
  std::vector<int32_t> relations_;  // of each condition, increasing for each kept entity
  ExactPairs pairs_;
};

// Both sides.
struct KnownTriples {
  KnownTriples(int64_t entities, std::initializer_list<std::span<const Triple>> parts);

  // About what it needs for so many triples, at most, in bytes: pairs and conditions of either
  // side, and bits.
  static int64_t bytes(int64_t entities, int64_t triples) {
    return 2 * (4 * entities + (4 + 4 + 8) * triples) + 4 * triples;
  }

  // And what it needs besides while it is built.
  static int64_t building_bytes(int64_t entities, int64_t triples) {
    return 16 * entities + 24 * triples;
  }

  const KnownAnswers& at(Side side) const { return side == Side::kHead ? heads : tails; }

  // Whether the triple is one of them. One bit tells most of those that are not.
  bool contains(const Triple& triple) const {
    const uint64_t bit = bit_of(triple);
    return (bits_[bit / 64] >> (bit % 64) & 1) != 0 && tails.contains(triple);
  }

  KnownAnswers heads, tails;

 private:
  uint64_t bit_of(const Triple& triple) const;

  int shift_;
  std::vector<uint64_t> bits_;  // of each triple's hash
};

inline uint64_t KnownTriples::bit_of(const Triple& triple) const {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // Knuth's multiplicative hashing
  const uint64_t ends = static_cast<uint64_t>(static_cast<uint32_t>(triple.head)) << 32 |
                        static_cast<uint32_t>(triple.tail);
  const uint64_t mixed = ends * kGolden;
  return ((mixed ^ mixed >> 32 ^ static_cast<uint32_t>(triple.relation)) * kGolden) >> shift_;
}

}  // namespace acevec
