// The ways to choose an anchor's negatives among the points of other classes in a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace acevec {

enum class NegativeKind : uint8_t {
  kUniform,    // at random
  kHardest,    // nearest to the anchor (VSE++, Faghri et al. 2017)
  kSemiHard,   // nearest of those farther than the positive, then farthest of the others (FaceNet,
               // Schroff et al. 2015)
  kUncertain,  // as far as the positive: P(positive | anchor) is nearest 1/2 (Bose 2018,
               // section 4.1)
  kCritic,     // drawn from the softmax of −β · distance
  kLearned,    // drawn from uniform noise and a generator: tasks/metric/adversary.h
};

// A batch: rows that are anchors, each with a positive, and candidates for each other.
struct BatchDistances {
  const float* squares;      // rows × rows: |e_i − e_j|²
  const int32_t* classes;    // of each row
  const int32_t* positives;  // of each row another of its class
  int64_t rows;
  const float* vectors = nullptr;  // e_i, rows × width; not of use to all
  int64_t width = 0;
};

// How negatives are chosen, and how many for each anchor.
struct NegativeRule {
  NegativeKind kind;
  int64_t count;
  float beta = 1;  // of kCritic
};

// Anchors first .. last − 1 of a batch, for which a thread does its work with a random stream of
// its own.
struct Anchors {
  int64_t first;
  int64_t last;

  static constexpr int64_t kTogether = 8;  // in a step
};

// chosen[i · count + k] = a row of another class than anchor i; −1 where there is none. kHardest,
// kSemiHard and kUncertain give the `count` best by squared distances, the best first, and −1 when
// there are fewer, of equals the first; the others draw with replacement.
void choose_negatives(const NegativeRule& rule, const BatchDistances& batch, Anchors anchors,
                      Random& random, int32_t* chosen);

// same[j] = 1 where row j is of the class of `anchor`, else 0.
void mark_same_class(const BatchDistances& batch, int64_t anchor, uint8_t* same);

}  // namespace acevec
