// Order embeddings, and cones, as a task of the engine: batches of pairs, noise and adversarial
// negatives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tasks/order/adversary.h"
#include "tasks/order/hierarchy.h"
#include "tasks/order/settings.h"
#include "tasks/order/split.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

TaskDescription describe_order();

// What training adds to the memory in use when the pairs have been read and split.
MemoryPlan order_memory(const Hierarchy& hierarchy, const Split& split,
                        const OrderSettings& settings);

class OrderTask : public Task {
 public:
  // Trains `vectors`, a row for each concept, on split.train. All must outlive the task.
  OrderTask(const Hierarchy& hierarchy, const Split& split, const OrderSettings& settings,
            Matrix& vectors);

  int64_t pieces() const override { return (units() + settings_.batch - 1) / settings_.batch; }
  int64_t units() const override { return static_cast<int64_t>(order_.size()); }
  void begin_epoch(int64_t epoch) override;
  Parallel parallel() const override { return Parallel::kStep; }
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // From a start in order the loss rises first: what it must not stay above is then what vectors
  // lose that say nothing about a pair.
  std::optional<double> start_loss() override;

  // The accuracy on the development pairs; columns: it, and that on the test pairs.
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  class OrderWorker;

  const Hierarchy& hierarchy_;
  const Split& split_;
  OrderSettings settings_;
  Matrix& vectors_;
  Matrix moments_;
  std::vector<OrderPair> order_;  // the pairs, shuffled
  std::optional<ExactPairs> observed_;
  std::optional<OrderAdversaryState> adversary_;
};

}  // namespace acevec
