// Knowledge graphs as a task of the engine: batches of triples, noise and adversarial negatives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tasks/kg/adversary.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/model.h"
#include "tasks/kg/settings.h"
#include "tasks/kg/softmax_steps.h"
#include "tasks/kg/steps.h"
#include "tasks/kg/triples.h"
#include "train/memory_plan.h"
#include "train/task.h"

namespace acevec {

TaskDescription describe_kg();

// What training adds to the memory in use when the graph has been read.
MemoryPlan kg_memory(const Graph& graph, const KgShape& shape, const KgSettings& settings);

class KgTask : public StepTask {
 public:
  // Trains `model` on the graph's triples. `known`: those of all splits. All must outlive the task.
  KgTask(const Graph& graph, const KnownTriples& known, const KgSettings& settings, KgModel& model);

  int64_t units() const override;
  void begin_epoch(int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The loss of a model that has learned nothing, also with vectors of an older model.
  std::optional<double> start_loss() override;

  // The filtered MRR on validation triples, of many on kMostEvaluated at equal distances; columns:
  // mean rank, MRR, Hits@1, 3, 10.
  static constexpr size_t kMostEvaluated = 5000;
  std::optional<Evaluation> evaluate() override;
  void write_snapshot(const std::string& path) const override;

 private:
  int64_t items() const override { return questions_ ? questions_->count() : units(); }
  int64_t batch() const override { return settings_.batch; }
  Sums learn(const Piece& piece, int64_t first, int64_t last, Random& random,
             Clock& clock) override;
  Sums learn_pairs(const Piece& piece, std::span<const Triple> positives, Random& random,
                   float rate);
  void fill_negatives(const Triple& positive, Random& random, std::span<Negative> places) const;
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
  std::optional<SoftmaxSteps> softmax_steps_;  // with kSoftmax
  std::optional<KgSteps> pair_steps_;          // without
  std::optional<KgAdversary> adversary_;
  std::vector<Negative> hard_;  // the adversary's, one for each triple of a step
};

}  // namespace acevec
