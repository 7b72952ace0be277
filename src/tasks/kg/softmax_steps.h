// Steps down −log softmax of the true entity's score among all entities, or among some that are
// drawn for the step and stand for all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "math/table_products.h"
#include "optim/batch_rows.h"
#include "tasks/kg/model.h"
#include "tasks/kg/questions.h"
#include "tasks/kg/relation_softmax.h"
#include "train/sums.h"

namespace acevec {

struct SoftmaxSettings {
  int64_t candidates{};  // entities drawn for each step; 0: all of them
  float cubes{};         // λ of the N3 penalty, λ (Σ|h|³ + Σ|r|³ + Σ|t|³) for each triple
  float relations{};     // weight of the loss of predicting relations, where the score is a product
  // How likely each entity is the first answer of a question, by which the first answers of a
  // step's other questions are candidates too (in-batch); none: they are not.
  std::span<const float> shares{};
  OptimizerSettings optimizer;
  int64_t most_questions{};                               // in a step
  ProductPrecision precision = ProductPrecision::kFloat;  // where the score is a product
};

// One thread's steps.
//
// Where a question with answers A is asked among drawn entities S, its sum over all entities is
// Σ_A exp(−s) + (N − |A|) / |S \ A| · Σ_{S \ A} exp(−s), whose mean over S is the sum itself.
// In-batch, S has the first answers of all questions too, and Σ_{S \ A} exp(−s) / π has that mean,
// where π is the probability that the entity is in S (Horvitz and Thompson 1952).
class SoftmaxSteps {
 public:
  // The moments belong to the model's matrices: see Optimizer.
  SoftmaxSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
               const SoftmaxSettings& settings);

  // What one object needs, in bytes.
  static int64_t bytes(const Score& score, int64_t entities, int64_t relations,
                       const SoftmaxSettings& settings);

  // Step `number`, from 1 over all threads. Returns −log p of the triples, without the penalty.
  Mean step(int64_t number, float rate, const std::vector<Question>& questions, Random& random);

 private:
  struct Placed {
    int64_t kept, relation;  // floats before their rows
    int64_t answers;         // before their places in answer_places_
  };

  void place(const std::vector<Question>& questions, Random& random);
  void score(const std::vector<Question>& questions);
  void find_shifts();
  float logit(Side side, size_t question, int64_t column);
  void shift_logits(float* row, std::span<const int64_t> answers);
  double learn_logits(const std::vector<Question>& questions);
  void add_gradients(const std::vector<Question>& questions);
  void add_product_gradients(const std::vector<Question>& questions);
  void learn_relations(const std::vector<Question>& questions);
  void add_penalty(const std::vector<Question>& questions);

  // Columns are the shared candidates' places, then the question's answers.
  int64_t place_of(size_t question, int64_t column) const {
    if (column < shared_) return column;
    return answer_places_[static_cast<size_t>(placed_[question].answers + column - shared_)];
  }
  float* logits(size_t question) {
    return logits_.data() + static_cast<int64_t>(question) * logit_stride_;
  }
  float* point(size_t question) {
    return points_.data() + static_cast<int64_t>(question) * padded(model_.score->size());
  }

  const KgModel& model_;
  SoftmaxSettings settings_;
  BatchRows entities_, relations_;
  std::vector<Placed> placed_;
  std::vector<int64_t> answer_places_;  // of all questions' answers
  int64_t drawn_ = 0;
  int64_t shared_ = 0;  // candidates of all questions: those drawn; in-batch also first answers
  std::vector<float> shifts_;  // −log π of each candidate, in-batch
  int64_t logit_stride_;
  AlignedFloats logits_;  // question × column: −s, then the loss's slope by it
  AlignedFloats points_, point_gradients_;
  std::unique_ptr<TableProducts> products_;  // of points with candidates, where the score is one
  std::optional<RelationSoftmax> relation_softmax_;
  std::vector<RelationSoftmax::Triple> triples_;  // of all questions, for it
};

}  // namespace acevec
