// Learns order embeddings: true pairs into order, false ones out of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "math/matrix.h"
#include "optim/batch_rows.h"
#include "order/adversary.h"
#include "order/hierarchy.h"

namespace acevec {

// What the trainer needs to know.
struct OrderSettings {
  int64_t size = 50;            // numbers in a vector
  float margin = 1;             // η
  int64_t batch = 1000;         // true pairs in a step
  int64_t negatives = 1;        // false pairs per true one, one side replaced by any concept
  double specific_share = 0.8;  // of them have the specific side replaced, the others the general
  bool mask_noise = false;      // leave those out that are true
  float rate = 0.01F;           // Adam's at the start; it falls to 0
  float decay = 0;              // of vectors, see OptimizerSettings::weight_decay
  int64_t epochs = 20;
  int64_t report_every = 200;  // batches from one report to the next
  int threads = 1;
  uint64_t seed = 1;
  std::optional<OrderAdversarySettings> adversary;  // ACE
};

// Sums since the last report.
struct OrderLoss {
  double positive = 0, noise = 0, adversarial = 0;
  double positives = 0, noises = 0, adversarials = 0;  // how many pairs

  OrderLoss& operator+=(const OrderLoss& other);
};

struct OrderState {
  int64_t pairs;  // true pairs learned from so far, over all epochs
  int64_t total;
  OrderLoss loss;
  OrderAdversaryReport adversary;
};

// Where training starts: a row for each concept, the positive half of a normal distribution; 0 for
// concepts that nothing is below in `train`.
Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed);

// One thread's steps. Vectors stay non-negative.
class OrderSteps {
 public:
  // `moments` belongs to `vectors`: see Optimizer. At most `most_pairs` pairs in a step.
  OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer, float margin,
             int64_t most_pairs);

  // Step `number`, from 1 over all threads, down Eq. 11 for these pairs.
  OrderLoss step(int64_t number, float rate, const std::vector<OrderPair>& positives,
                 const std::vector<OrderPair>& noise, const std::vector<OrderPair>& adversarial);

 private:
  double add_pairs(const std::vector<OrderPair>& pairs, bool positive);

  BatchRows rows_;
  float margin_;
};

// Trains `vectors`. After every `report_every` batches all threads meet and `report` is called,
// which may read the vectors.
void train_order(const std::vector<OrderPair>& train, const OrderSettings& settings,
                 Matrix& vectors, const std::function<void(const OrderState&)>& report);

}  // namespace acevec
