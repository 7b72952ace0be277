// Knowledge graphs as a task of the engine: batches of triples, noise and adversarial negatives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kg/adversary.h"
#include "kg/graph.h"
#include "kg/model.h"
#include "kg/steps.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

struct KgSettings {
  float margin{};       // η
  float longest{};      // vectors of entities and relations stay as short; 0: no limit
  int64_t batch{};      // true triples in a step
  int64_t negatives{};  // of the noise, for each true triple
  CorruptionKind corruption{};
  bool mask_noise{};  // negatives that are true are left out
  OptimizerSettings optimizer;
  int threads{};  // that train, and evaluate
  uint64_t seed{};
  std::optional<KgAdversarySettings> adversary;  // ACE
};

TaskDescription describe_kg();

// What training adds to the memory in use when the graph has been read.
MemoryPlan kg_memory(const Graph& graph, const Score& score, const KgSettings& settings);

class KgTask : public Task {
 public:
  // Trains `model` on the graph's triples. `known`: those of all splits. All must outlive the task.
  KgTask(const Graph& graph, const AllAnswers& known, const KgSettings& settings, KgModel& model);

  int64_t pieces() const override;
  int64_t units() const override { return static_cast<int64_t>(order_.size()); }
  void begin_epoch(int64_t epoch) override;
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The filtered MRR on the validation triples; columns: mean rank, MRR, Hits@1, 3, 10.
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  class KgWorker;

  const Graph& graph_;
  const AllAnswers& known_;
  const KgSettings& settings_;
  KgModel& model_;
  AllAnswers train_;
  Corruption corruption_;
  Matrix entity_moments_, relation_moments_;
  std::vector<Triple> order_;  // the triples, shuffled
  std::optional<KgAdversaryState> adversary_;
};

}  // namespace acevec
