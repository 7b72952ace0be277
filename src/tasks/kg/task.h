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
#include "train/task.h"

namespace acevec {

TaskDescription describe_kg();

class KgTask : public StepTask {
 public:
  // Trains `model` on the graph's triples. `known`: the triples of all splits. All must outlive it.
  KgTask(const Graph& graph, const KnownTriples& known, const KgSettings& settings, KgModel& model);

  int64_t units() const override {
    return model_.shape.relation_rows(std::ssize(graph_.train.triples));
  }
  void begin_epoch(int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The loss of an untrained model, even if training starts from an older one.
  std::optional<double> start_loss() override;

  // The filtered MRR on validation triples, or on kMostEvaluated evenly spaced ones if there are
  // more. Columns: mean rank, MRR, Hits@1, 3, 10.
  static constexpr size_t kMostEvaluated = 5000;
  std::optional<Evaluation> evaluate() override;
  int64_t later_bytes() const override;
  void write_snapshot(const std::string& path) const override {
    CheckpointWriter file(path);
    write_kg(graph_, model_, file);
    file.commit();
  }

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
  std::optional<KnownTriples> train_;  // training triples as a set, for drawing negatives
  Matrix entity_moments_, relation_moments_;
  std::vector<Triple> valid_;           // validation triples to evaluate on
  std::vector<Triple> order_;           // training triples, shuffled
  std::optional<Questions> questions_;  // of training triples and their inverses, with kSoftmax
  std::vector<float> shares_;           // entities' shares of first answers, with kSoftmax and ACE
  std::optional<SoftmaxSteps> softmax_steps_;  // with kSoftmax
  std::optional<KgSteps> pair_steps_;          // with other losses
  std::optional<KgAdversary> adversary_;
  std::vector<Negative> hard_;  // the adversary's negatives, one per triple of a step
};

}  // namespace acevec
