// Training steps for −log softmax of the true entity's ProductScore over all entities, or over some
// that are drawn for the step and represent all (Lacroix et al. 2018).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "math/aligned.h"
#include "math/table_products.h"
#include "optim/step_rows.h"
#include "tasks/kg/model.h"
#include "tasks/kg/settings.h"
#include "tasks/kg/triples.h"
#include "train/task.h"

namespace acevec {

// The loss of predicting relations: −log p of a triple's relation among all relations, given its
// head and tail (Chen et al. 2021, "Relation prediction as an auxiliary training objective").
class RelationSoftmax {
 public:
  // Inverses are candidates too. Both must outlive the object.
  RelationSoftmax(const KgModel& model, const KgSettings& settings);

  // Computes the gradients of relation_weight · Σ −log p over some triples. Sets those of relations
  // in `changes`, a row per relation; add_gradient() then adds those of entities.
  void learn(std::span<const Triple> triples, float* changes);

  // Adds the gradient of triple i's head or tail.
  void add_gradient(int64_t i, Part part, float* gradient) const;

 private:
  void learn_logits(std::span<const Triple> triples);

  const KgModel& model_;
  const ProductScore& score_;
  const KgSettings& settings_;
  int64_t stride_;
  AlignedFloats logits_;  // triple × relation: −s, then the loss's gradient
  AlignedFloats points_;
  std::vector<Triple> triples_;              // triples of the last learn()
  AlignedFloats point_gradients_;            // point gradients of triples_
  std::unique_ptr<TableProducts> products_;  // points × relations
};

// If a question with answers A is evaluated on drawn entities S, its sum over all entities is
// estimated by Σ_A exp(−s) + (N − |A|) / |S \ A| · Σ_{S \ A} exp(−s), whose mean over S is the sum
// itself. In-batch, S also has all first answers, and Σ_{S \ A} exp(−s) / π has the same mean, with
// π the entity's probability to be in S (Horvitz and Thompson 1952).
class SoftmaxSteps {
 public:
  // The moments belong to the model's matrices: see Optimizer. A step has at most settings.batch
  // questions. `shares`: the probability of each entity to be the first answer of a question, with
  // which the first answers of a step's other questions become candidates (in-batch); empty: they
  // do not. All must outlive the object.
  SoftmaxSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
               const KgSettings& settings, std::span<const float> shares = {});

  // Takes step `number` ≥ 1. Returns −log p of the triples, without the penalty.
  Mean step(int64_t number, float rate, const std::vector<Question>& questions, Random& random);

 private:
  // The start of each kind of occurrence: first the candidates, then all relations if they are
  // predicted too, the answers, and each question's kept entity and relation.
  struct Firsts {
    int64_t relations, answers, questions;
  };

  void choose_candidates(Random& random);
  void add_candidate(int32_t id) {
    int32_t& place = candidate_of_[static_cast<size_t>(id)];
    if (place >= 0) return;
    place = static_cast<int32_t>(candidates_.size());
    candidates_.push_back(id);
  }
  void list_occurrences();
  void prepare();
  void learn_question(size_t question);
  void find_shifts();
  void shift_logits(float* row, std::span<const int64_t> answers) const;
  void to_distances(size_t question, float* inverses);
  void to_products(size_t question, const float* inverses);
  void add_candidate_gradients();
  double learn_logits(size_t question);
  void add_answers(size_t question);
  void learn_relations();
  void add_gradient(int64_t occurrence, float* gradient);
  void add_answer_gradient(int64_t answer, float* gradient);
  void add_kept_gradient(size_t question, float* gradient);
  // Adds the gradient of the N3 penalty of a row that is in `times` triples.
  void add_n3(const float* row, int64_t times, float* gradient) const {
    if (settings_.n3 == 0) return;
    score_.add_n3(row, static_cast<float>(times) * settings_.n3, gradient);
  }

  const Question& question(size_t i) const { return (*questions_)[i]; }
  int64_t shared() const { return std::ssize(candidates_); }
  int64_t answers_of(size_t i) const { return std::ssize(question(i).answers); }
  // Columns: the candidates, then the question's answers, unused for those that are candidates.
  int32_t entity_in(size_t i, int64_t column) const {
    if (column < shared()) return candidates_[static_cast<size_t>(column)];
    return question(i).answers[static_cast<size_t>(column - shared())];
  }
  const float* candidate_row(int64_t candidate) const {
    return model_.entities.row(candidates_[static_cast<size_t>(candidate)]);
  }
  float* logits(size_t question) {
    return logits_.data() + static_cast<int64_t>(question) * logit_stride_;
  }
  float* point(size_t question) {
    return points_.data() + static_cast<int64_t>(question) * rows_.width();
  }
  float* point_gradient(size_t question) {
    return point_gradients_.data() + static_cast<int64_t>(question) * rows_.width();
  }

  const KgModel& model_;
  const ProductScore& score_;
  const KgSettings& settings_;
  std::span<const float> shares_;
  int64_t drawn_;  // entities drawn for a step
  StepRows rows_;
  const std::vector<Question>* questions_ = nullptr;  // questions of the current step
  std::vector<int64_t> first_answers_;                // index of each question's first answer
  std::vector<int32_t> answer_questions_;             // the question of each answer
  std::vector<int32_t> candidates_;                   // drawn entities and, in-batch, first answers
  std::vector<int32_t> candidate_of_;                 // each entity's index among them, or −1
  std::vector<float> shifts_;                         // −log π of each candidate, in-batch
  std::vector<int32_t> occurrences_;
  Firsts firsts_{};
  int64_t logit_stride_;
  AlignedFloats logits_;  // question × column: −s, then the loss's gradient
  AlignedFloats points_;  // points of questions
  AlignedFloats point_gradients_;
  std::vector<float> squares_;               // |t|² of each candidate, for distances
  std::vector<float> slope_sums_;            // Σ of each question's gradients by products
  std::vector<double> losses_;               // losses of questions
  std::unique_ptr<TableProducts> products_;  // points × candidates
  std::optional<RelationSoftmax> relation_softmax_;
  std::vector<Triple> triples_;  // triples of all answers, for relation_softmax_
};

}  // namespace acevec
