// Knowledge graphs as a task of the engine: batches of triples, noise and adversarial negatives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kg/adversary.h"
#include "kg/graph.h"
#include "kg/model.h"
#include "kg/questions.h"
#include "kg/softmax_steps.h"
#include "kg/steps.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

struct KgSettings {
  KgLossKind loss{};
  float margin{};       // η
  float longest{};      // vectors of entities and relations stay as short; 0: no limit
  float cubes{};        // λ of the N3 penalty: see SoftmaxSettings
  int64_t batch{};      // true triples in a step; with kSoftmax, questions
  int64_t negatives{};  // of the noise, for each true triple; with kSoftmax, for each step, 0: all
  CorruptionKind corruption{};
  bool mask_noise{};  // negatives that are true are left out
  OptimizerSettings optimizer;
  int threads{};  // that train, and evaluate
  uint64_t seed{};
  std::optional<KgAdversarySettings> adversary;  // ACE, where the loss is a sum over negatives
  bool in_batch{};  // ACE with kSoftmax: a step's answers are candidates too (SoftmaxSettings)
};

TaskDescription describe_kg();

// What training adds to the memory in use when the graph has been read.
MemoryPlan kg_memory(const Graph& graph, const Score& score, bool reciprocal,
                     const KgSettings& settings);

class KgTask : public Task {
 public:
  // Trains `model` on the graph's triples. `known`: those of all splits. All must outlive the task.
  KgTask(const Graph& graph, const AllAnswers& known, const KgSettings& settings, KgModel& model);

  int64_t pieces() const override;
  int64_t units() const override;
  void begin_epoch(int64_t epoch) override;
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The filtered MRR on the validation triples; columns: mean rank, MRR, Hits@1, 3, 10.
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  class PairWorker;
  class SoftmaxWorker;

  bool asks() const { return settings_.loss == KgLossKind::kSoftmax; }

  const Graph& graph_;
  const AllAnswers& known_;
  const KgSettings& settings_;
  KgModel& model_;
  std::vector<Triple> triples_;  // to learn from, with their reverses if the model has any
  AllAnswers train_;
  Corruption corruption_;
  Matrix entity_moments_, relation_moments_;
  std::vector<Triple> order_;           // the triples, shuffled
  std::optional<Questions> questions_;  // of them, with kSoftmax
  std::vector<float> shares_;           // of entities in all answers, with kSoftmax and ACE
  std::optional<KgAdversaryState> adversary_;
};

}  // namespace acevec
