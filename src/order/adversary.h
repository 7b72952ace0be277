// Hard negatives for order embeddings: for either side of a pair a generator that, given the other
// side, chooses a replacement among all concepts (ace-2018, section 4.2).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ace/exact_pairs.h"
#include "ace/full_softmax.h"
#include "ace/policy.h"
#include "base/random.h"
#include "math/matrix.h"
#include "order/hierarchy.h"
#include "order/penalty.h"

namespace acevec {

struct OrderAdversarySettings {
  int64_t negatives = 1;       // adversarial negatives per true pair
  int64_t conditions = 64;     // pairs that the generators look at in a turn
  int64_t draws = 512;         // negatives drawn for each
  double beta = 5;             // weight of −E in the logits: 0 is no prior
  bool spare_possible = true;  // no negatives that nothing learned from speaks against
  PolicySettings policy;
  OptimizerSettings optimizer{OptimizerKind::kAdam, 0.01F, 0.1F};
};

// Sums over turns.
struct OrderAdversaryReport {
  double draws = 0;
  double observed = 0;  // draws that were spared: true pairs, or possible ones
  double conditions = 0;
  double entropy = 0;  // of g, nats, over conditions

  OrderAdversaryReport& operator+=(const OrderAdversaryReport& other);
};

// What the threads of a run share.
struct OrderAdversaryState {
  OrderAdversaryState(const OrderAdversarySettings& settings, const std::vector<OrderPair>& train,
                      const Matrix& vectors, float margin, uint64_t seed);

  // One side: what is kept of a pair is the condition, and what replaces the other the outcome.
  struct Side {
    GeneratorParameters generator;
    ExactPairs observed;
  };

  const Side& side(Replaced replaced) const {
    return replaced == Replaced::kGeneral ? generals : specifics;
  }

  // Whether the replacement must not serve as a negative: it makes no pair, or one that is observed
  // or, with `spare_possible`, possible.
  bool is_spared(Replaced replaced, int32_t condition, int32_t outcome) const;

  // Whether the pair could be true for all that was observed: what is above y is above x too.
  bool is_possible(Replaced replaced, int32_t condition, int32_t outcome) const;

  OrderAdversarySettings settings;
  const std::vector<OrderPair>& train;
  const Matrix& vectors;
  float margin;
  Side generals;   // g(y⁻|x)
  Side specifics;  // g(x⁻|y)
};

// One object per thread.
class OrderAdversary {
 public:
  explicit OrderAdversary(OrderAdversaryState& state);

  // Replaces `negatives` by the next of those drawn, false negatives left out, for `pairs` true
  // pairs. When all are used up the generators take a turn: they draw for other conditions, are
  // paid what the discriminator loses on each draw as its vectors are now, and learn from it.
  void next(int64_t pairs, Random& random, std::vector<OrderPair>& negatives);

  // What was counted since the last call.
  OrderAdversaryReport take_report() { return std::exchange(report_, {}); }

 private:
  void take_turn(Replaced replaced, Random& random);
  void compute_penalties(Replaced replaced, int64_t rows);
  void compute_rewards(Replaced replaced, const std::vector<int32_t>& conditions);

  OrderAdversaryState& state_;
  FullSoftmax generals_, specifics_;
  AlignedFloats features_;   // the conditions of a turn
  AlignedFloats others_;     // the concepts at hand
  AlignedFloats penalties_;  // conditions × concepts, then what they are paid for each
  std::vector<OrderPair> pool_;
  OrderAdversaryReport report_;
};

}  // namespace acevec
