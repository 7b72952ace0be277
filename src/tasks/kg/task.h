// Knowledge graphs as a task of the engine: batches of triples, noise and adversarial negatives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tasks/kg/adversary.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/model.h"
#include "tasks/kg/questions.h"
#include "tasks/kg/softmax_steps.h"
#include "tasks/kg/steps.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

struct KgSettings {
  KgLossKind loss = KgLossKind::kMargin;
  float margin = 9;      // η
  float longest = 3;     // maximum norm of the vectors of entities and relations; 0: no limit
  float cubes = 0;       // λ of the N3 penalty: see SoftmaxSettings
  int64_t batch = 1000;  // true triples in a step; with kSoftmax, questions
  int64_t negatives =
      1;  // of the noise, for each true triple; with kSoftmax, for each step, 0: all
  // Adam's clock: see docs/experiments/order.md. The rate is the run's.
  OptimizerSettings optimizer{.beta1 = 0, .by_time = true};
  int threads = 1;  // that train, and evaluate
  uint64_t seed = 1;
  std::optional<KgAdversarySettings> adversary;  // ACE, where the loss is a sum over negatives
  bool in_batch =
      false;  // ACE with kSoftmax: a step's answers are candidates too (SoftmaxSettings)
  ProductPrecision precision = ProductPrecision::kFloat;  // with kSoftmax
};

TaskDescription describe_kg();

// What training adds to the memory in use when the graph has been read.
MemoryPlan kg_memory(const Graph& graph, const KgShape& shape, const KgSettings& settings);

class KgTask : public Task {
 public:
  // Trains `model` on the graph's triples. `known`: those of all splits. All must outlive the task.
  KgTask(const Graph& graph, const KnownTriples& known, const KgSettings& settings, KgModel& model);

  int64_t pieces() const override;
  int64_t units() const override;
  void begin_epoch(int64_t epoch) override;
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The filtered MRR on validation triples, of many on kMostEvaluated at equal distances; columns:
  // mean rank, MRR, Hits@1, 3, 10.
  static constexpr size_t kMostEvaluated = 5000;
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  class PairWorker;
  class SoftmaxWorker;

  bool asks() const { return settings_.loss == KgLossKind::kSoftmax; }

  const Graph& graph_;
  const KnownTriples& known_;
  const KgSettings& settings_;
  KgModel& model_;
  std::vector<Triple> triples_;  // to learn from, with their reverses if the model has any
  KnownTriples train_;
  Matrix entity_moments_, relation_moments_;
  std::vector<Triple> valid_;           // to evaluate on
  std::vector<Triple> order_;           // the triples, shuffled
  std::optional<Questions> questions_;  // of them, with kSoftmax
  std::vector<float> shares_;           // of entities in all answers, with kSoftmax and ACE
  std::optional<KgAdversaryState> adversary_;
};

}  // namespace acevec
