// Order embeddings and entailment cones as a task: batches of pairs, noise and hard negatives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tasks/order/adversary.h"
#include "tasks/order/hierarchy.h"
#include "tasks/order/settings.h"
#include "tasks/order/steps.h"
#include "train/task.h"

namespace acevec {

TaskDescription describe_order();

class OrderTask : public StepTask {
 public:
  // Trains `vectors`, a row per concept, on split.train. All must outlive the task.
  OrderTask(const Hierarchy& hierarchy, const Split& split, const OrderSettings& settings,
            Matrix& vectors);

  int64_t units() const override { return std::ssize(split_.train); }
  void begin_epoch(int64_t epoch) override;
  std::vector<Parameter> parameters() override;
  void save(CheckpointWriter& file) const override {
    if (adversary_) adversary_->save(file);
  }
  void load(CheckpointReader& file) override {
    if (adversary_) adversary_->load(file);
  }

  // The loss of uninformative vectors if the initial ones are in order: from these it first rises.
  std::optional<double> start_loss() override;

  // The accuracy on development pairs. Columns: that, and the accuracy on test pairs.
  std::optional<Evaluation> evaluate() override;
  // Evaluation has the pairs by concept, and on each thread the penalties of all concepts.
  int64_t later_bytes() const override {
    return 12 * std::ssize(hierarchy_.lines) + (24 + 12 * settings_.threads) * vectors_.rows();
  }
  void write_snapshot(const std::string& path) const override;

 private:
  int64_t batch() const override { return settings_.batch; }
  Sums learn(const Piece& piece, int64_t first, int64_t last, Random& random,
             Clock& clock) override;
  void draw_noise(std::span<const OrderPair> positives, Random& random);

  const Hierarchy& hierarchy_;
  const Split& split_;
  OrderSettings settings_;
  Matrix& vectors_;
  Matrix moments_;
  std::vector<OrderPair> order_;  // training pairs, shuffled
  std::optional<ExactPairs> observed_;
  OrderSteps steps_;
  std::optional<OrderAdversary> adversary_;
  std::vector<OrderPair> noise_, hard_;  // random and adversarial negatives of a step
};

}  // namespace acevec
