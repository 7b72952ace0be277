// Knowledge graphs as a task of the engine: batches of triples, noise and adversarial negatives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tasks/kg/adversary.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/model.h"
#include "tasks/kg/settings.h"
#include "tasks/kg/triples.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

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
  Parallel parallel() const override { return Parallel::kStep; }
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // What a model that has learned nothing loses, also where the vectors start from those of
  // another.
  std::optional<double> start_loss() override;

  // The filtered MRR on validation triples, of many on kMostEvaluated at equal distances; columns:
  // mean rank, MRR, Hits@1, 3, 10.
  static constexpr size_t kMostEvaluated = 5000;
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  class PairWorker;
  class SoftmaxWorker;

  bool is_softmax() const { return settings_.loss == KgLossKind::kSoftmax; }

  const Graph& graph_;
  const KnownTriples& known_;
  KgSettings settings_;
  KgModel& model_;
  std::vector<Triple> triples_;        // to learn from, with their reverses if the model has any
  std::optional<KnownTriples> train_;  // these, where false ones are drawn
  Matrix entity_moments_, relation_moments_;
  std::vector<Triple> valid_;           // to evaluate on
  std::vector<Triple> order_;           // the triples, shuffled
  std::optional<Questions> questions_;  // of them, with kSoftmax
  std::vector<float> shares_;           // of entities in first answers, with kSoftmax and ACE
  std::optional<KgAdversaryState> adversary_;
};

}  // namespace acevec
