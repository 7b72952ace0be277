// Hard negatives for order embeddings: for either side of a pair a generator that, given the other
// side, chooses a replacement among all concepts (ace-2018, section 4.2).
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

// Copies the training pairs. Several threads may read it.
class SparedPairs {
 public:
  // `spare_possible`: the second kind too.
  SparedPairs(int64_t concepts, const std::vector<OrderPair>& train, bool spare_possible);

  // marks[outcome] = 1 for every outcome that makes a spared pair (x, y) with the condition: one
  // that was observed, one of a concept with itself and, with `spare_possible`, one that could be
  // true for all that was observed, since what is above y is above x too. Others 0.
  void mark(Replaced replaced, int32_t condition, uint8_t* marks) const;

 private:
  // Concepts with the same generals are a class: what is possible for one is for all.
  struct Classes {
    std::vector<int32_t> of;        // each concept
    std::vector<int32_t> examples;  // a concept of each class
  };
  static Classes classify(const ExactPairs& generals);

  bool spare_possible_;
  ExactPairs generals_, specifics_;
  Classes classes_;
  ExactPairs below_;  // of each concept, the classes of its specifics
};

// Means over the conditions of turns.
struct OrderAdversaryReport {
  Mean entropy;  // of g, nats
  Mean spared;   // share of g on pairs that are no negatives
};

class OrderAdversary {
 public:
  // `training` has an adversary; what follows from `split.train` is no negative. All must outlive
  // it.
  OrderAdversary(const OrderSettings& training, const Split& split, const Matrix& vectors);

  // Replaces `negatives` by the next of those drawn for `pairs` true pairs: fewer than wanted where
  // conditions had no false outcome. When all are used up the generators take a turn: they look at
  // other conditions, are paid what the discriminator loses on each replacement as its vectors are
  // now, learn from it if they are to, and draw.
  void next(int64_t pairs, Random& random, std::vector<OrderPair>& negatives);

  // The means since the last call.
  OrderAdversaryReport take_report() { return std::exchange(report_, {}); }

  // Adds the generators' matrices.
  void list(std::vector<Parameter>& parameters);

  // The rest of the last turn's draws.
  void save(CheckpointWriter& file) const { file.put("pool", pool_); }
  void load(CheckpointReader& file);

 private:
  void take_turn(Replaced replaced, Random& random);
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
  int threads() const { return training_.threads; }

  const OrderSettings& training_;
  const OrderAdversarySettings& settings_;  // its
  const std::vector<OrderPair>& train_;
  const Matrix& vectors_;
  SparedPairs spared_;
  Player generals_, specifics_;  // g(y⁻|x), g(x⁻|y)
  AlignedFloats features_;       // the conditions of a turn
  AlignedFloats penalties_;      // conditions × concepts, then what they are paid for each
  std::vector<uint8_t> marks_;   // conditions × concepts
  std::vector<OrderPair> pool_;
  OrderAdversaryReport report_;
};

}  // namespace acevec
