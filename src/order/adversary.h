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
#include "order/penalty_table.h"

namespace acevec {

struct OrderAdversarySettings {
  int64_t negatives = 1;     // adversarial negatives per true pair
  int64_t conditions = 256;  // pairs that the generators look at in a turn
  int64_t draws = 128;       // negatives drawn for each
  double beta = 0;           // weight of −E in the logits: 0 is no prior
  PolicySettings policy;
  OptimizerSettings optimizer{OptimizerKind::kAdam, 0.01F, 0.1F};
};

// Sums over turns.
struct OrderAdversaryReport {
  double draws = 0;
  double observed = 0;  // draws that were true pairs
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

  Side& side(Replaced replaced) { return replaced == Replaced::kGeneral ? generals : specifics; }

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
  void compute_rewards(const ExactPairs& observed, const std::vector<int32_t>& conditions);

  OrderAdversaryState& state_;
  FullSoftmax generals_, specifics_;
  AlignedFloats features_;   // the conditions of a turn
  AlignedFloats others_;     // the concepts at hand
  AlignedFloats penalties_;  // conditions × concepts, then what they are paid for each
  std::vector<OrderPair> pool_;
  OrderAdversaryReport report_;
};

}  // namespace acevec
