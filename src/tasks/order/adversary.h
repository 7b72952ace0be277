// Hard negatives for order embeddings: for each side of a pair a generator that chooses a
// replacement among all concepts given the other side (ace-2018, section 4.2).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ace/generator.h"
#include "base/checkpoint_file.h"
#include "base/random.h"
#include "kernels/order_penalty.h"
#include "math/exact_pairs.h"
#include "math/matrix.h"
#include "tasks/order/hierarchy.h"
#include "tasks/order/settings.h"
#include "train/task.h"

namespace acevec {

// The pairs that are never negatives. Copies the training pairs; safe for concurrent reads.
class SparedPairs {
 public:
  // `spare_possible`: possible pairs too; see mark().
  SparedPairs(int64_t concepts, const std::vector<OrderPair>& train, bool spare_possible);

  // Sets marks[outcome] to 1 for every outcome that forms a spared pair (x, y) with the condition,
  // else to 0. Spared are observed pairs, pairs of a concept with itself and, with
  // `spare_possible`, pairs that the observed ones allow, since all that is above y is above x too.
  void mark(Replaced replaced, int32_t condition, uint8_t* marks) const;

 private:
  // Concepts with the same generals form a class: what is possible for one is for all.
  struct Classes {
    std::vector<int32_t> of;        // class of each concept
    std::vector<int32_t> examples;  // one concept of each class
  };
  static Classes classify(const ExactPairs& generals);

  bool spare_possible_;
  ExactPairs generals_, specifics_;
  Classes classes_;
  ExactPairs below_;  // classes of each concept's specifics
};

// Means over the conditions of turns.
struct OrderAdversaryReport {
  Mean entropy;  // entropy of g, nats
  Mean spared;   // share of g on spared pairs
};

class OrderAdversary {
 public:
  // `training` must have an adversary. No negative is in split.known(). All must outlive it.
  OrderAdversary(const OrderSettings& training, const Split& split, const Matrix& vectors);

  // Replaces `negatives` by the next ones drawn for `pairs` true pairs; fewer if conditions have no
  // false outcomes. When none is left the generators take a turn: for new conditions they are
  // rewarded with the discriminator's loss on each replacement, take a step if learned, and draw.
  void next(int64_t pairs, Random& random, std::vector<OrderPair>& negatives);

  // The means since the last call.
  OrderAdversaryReport take_report() { return std::exchange(report_, {}); }

  // Adds the generators' matrices.
  void list(std::vector<Parameter>& parameters) {
    generals_.parameters.list("generals", parameters);
    specifics_.parameters.list("specifics", parameters);
  }

  // Save and restore the remaining draws of the last turn.
  void save(CheckpointWriter& file) const { file.put("pool", pool_); }
  void load(CheckpointReader& file);

 private:
  void refill_pool(Replaced replaced, Random& random);
  void compute_penalties(Replaced replaced, int64_t rows);
  void compute_rewards(Replaced replaced, const std::vector<int32_t>& conditions);
  struct Player {
    Player(const GeneratorSettings& settings, int64_t most_rows, int threads)
        : parameters(settings), softmax(parameters, most_rows, threads) {}

    GeneratorParameters parameters;
    FullSoftmax softmax;
  };

  FullSoftmax& softmax_of(Replaced replaced) {
    return (replaced == Replaced::kGeneral ? generals_ : specifics_).softmax;
  }
  void draw_pool(Replaced replaced, const std::vector<int32_t>& conditions, Random& random);

  const OrderSettings& training_;
  const OrderAdversarySettings& settings_;  // training_.adversary
  const std::vector<OrderPair>& train_;
  const Matrix& vectors_;
  SparedPairs spared_;
  Player generals_, specifics_;         // g(y⁻|x), g(x⁻|y)
  AlignedFloats features_;              // vectors of a turn's conditions
  AlignedFloats penalties_or_rewards_;  // conditions × concepts: penalties, then rewards
  std::vector<uint8_t> marks_;          // conditions × concepts
  std::vector<OrderPair> pool_;
  OrderAdversaryReport report_;
};

}  // namespace acevec
