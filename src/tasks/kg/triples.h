// Triples of a knowledge graph, negatives, known entities that complete a triple, and questions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/random.h"

namespace acevec {

// Ids of head, relation and tail; entities and relations are each numbered from 0.
struct Triple {
  int32_t head;
  int32_t relation;
  int32_t tail;

  bool operator==(const Triple&) const = default;
  // clang-tidy 14 takes the 0 inside the generated comparison for a pointer.
  auto operator<=>(const Triple&) const = default;  // NOLINT(modernize-use-nullptr)
};

// The members in the order of a line's columns.
inline constexpr int32_t Triple::*kTripleColumns[] = {&Triple::head, &Triple::relation,
                                                      &Triple::tail};

// The entity of a triple that is predicted or replaced; the other one is kept.
enum class Side { kHead, kTail };

inline int32_t entity(const Triple& triple, Side side) {
  return side == Side::kHead ? triple.head : triple.tail;
}

inline Side other(Side side) {
  return side == Side::kHead ? Side::kTail : Side::kHead;
}

inline Side random_side(Random& random) {
  return random.uniform() < 0.5F ? Side::kHead : Side::kTail;
}

// The triple with the entity of one side replaced.
inline Triple replaced(Triple triple, Side side, int32_t by) {
  (side == Side::kHead ? triple.head : triple.tail) = by;
  return triple;
}

enum class Part { kHead, kRelation, kTail };  // the row of a triple that a gradient belongs to
inline constexpr int64_t kParts = 3;

// A false triple: a true one with one side replaced.
struct Negative {
  Side side = Side::kTail;
  int32_t entity = -1;  // −1: no negative
  float weight = 0;     // weight of its loss
};

// The known entities at one side, by the kept entity and the relation.
class KnownAnswers {
 public:
  KnownAnswers(Side side, int64_t entities, std::initializer_list<std::span<const Triple>> parts);

  // All known entities at this side with the triple's relation and kept entity, in increasing
  // order; the triple's own entity at this side is ignored.
  std::span<const int32_t> of(const Triple& triple) const;

  bool contains(const Triple& triple) const;

 private:
  Side side_;
  // Sorted by the kept entity, then by relation and answer.
  std::vector<int64_t> begins_;  // start of each kept entity in the following
  std::vector<int32_t> relations_, answers_;
};

// Known triples, indexed by either side.
struct KnownTriples {
  KnownTriples(int64_t entities, std::initializer_list<std::span<const Triple>> parts);

  const KnownAnswers& at(Side side) const { return side == Side::kHead ? heads : tails; }

  // Whether the triple is known. One bit rules out most that are not.
  bool contains(const Triple& triple) const {
    const uint64_t bit = bit_of(triple);
    return (bits_[bit / 64] >> (bit % 64) & 1) != 0 && tails.contains(triple);
  }

  KnownAnswers heads, tails;

 private:
  uint64_t bit_of(const Triple& triple) const {
    constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // Knuth's multiplicative hashing
    const uint64_t ends = static_cast<uint64_t>(static_cast<uint32_t>(triple.head)) << 32 |
                          static_cast<uint32_t>(triple.tail);
    const uint64_t mixed = ends * kGolden;
    return ((mixed ^ mixed >> 32 ^ static_cast<uint32_t>(triple.relation)) * kGolden) >> shift_;
  }

  int shift_;
  std::vector<uint64_t> bits_;  // one per hash of a triple
};

// The tails of a head and a relation.
struct Question {
  int32_t kept, relation;
  std::span<const int32_t> answers;
};

// A question's triples share the sum over all entities: a step learns from kMostAnswers at once.
class Questions {
 public:
  static constexpr int64_t kMostAnswers = 16;

  explicit Questions(std::span<const Triple> triples);

  // Shuffles the questions and their answers; the order follows from `random` alone.
  void shuffle(Random& random);

  // The probability of each of `entities` to be the first answer of a question; they sum to 1.
  std::vector<float> first_answers(int64_t entities) const;

  int64_t count() const { return std::ssize(parts_); }
  Question at(int64_t i) const {
    const Part& part = parts_[static_cast<size_t>(i)];
    return {part.kept, part.relation, {answers_.data() + part.begin, answers_.data() + part.end}};
  }

 private:
  struct Part {
    int32_t kept, relation;
    int64_t begin, end;  // range of its answers
  };

  void cut();  // rebuilds parts_

  std::vector<Part> whole_, parts_;  // whole questions, and their parts, shuffled
  std::vector<int32_t> answers_;
};

// The triples, then the inverse (t, r + relations, h) of each (h, r, t).
std::vector<Triple> with_reverses(std::span<const Triple> triples, int32_t relations);

}  // namespace acevec
