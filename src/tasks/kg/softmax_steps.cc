#include "tasks/kg/softmax_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "kernels/hogwild.h"
#include "kernels/policy_kernels.h"
#include "tasks/kg/score.h"

namespace acevec {
namespace {

constexpr int64_t kRelationTriplesPerBlock = 16;  // triples that a thread takes at once

constexpr int64_t kQuestionsPerBlock = 8;    // questions that a thread takes at once
constexpr int64_t kCandidatesPerBlock = 64;  // candidates that a thread takes at once

// The number of entities drawn for a step.
int64_t drawn_of(const KgSettings& settings, int64_t entities) {
  return settings.negatives == 0 ? entities : std::min(settings.negatives, entities);
}

// The most columns: drawn entities, in-batch an answer of each question, and a question's answers.
int64_t most_columns(const KgSettings& settings, int64_t entities) {
  const int64_t in_batch = settings.in_batch ? settings.batch : 0;
  return Questions::kMostAnswers + std::min(entities, drawn_of(settings, entities) + in_batch);
}

// The most occurrences of rows in a step.
int64_t most_occurrences(const KgSettings& settings, const KgModel& model) {
  return most_columns(settings, model.entities.rows()) +
         (settings.relation_weight > 0 ? model.relations.rows() : 0) +
         settings.batch * (Questions::kMostAnswers + 2);
}

// An odd number of cache lines, so that rows of logits start in different cache sets.
int64_t stride_for(int64_t columns) {
  return (padded(columns) / kRowPadding | 1) * kRowPadding;
}

}  // namespace

RelationSoftmax::RelationSoftmax(const KgModel& model, const KgSettings& settings)
    : model_(model),
      score_(dynamic_cast<const ProductScore&>(*model.score)),
      settings_(settings),
      stride_(padded(model.relations.rows())),
      logits_(settings.batch * stride_),
      points_(settings.batch * score_.width()),
      products_(make_table_products(
          settings.precision, {settings.batch, model.relations.rows(), score_.width(), stride_},
          settings.threads)) {}

// The scores are symmetric in head and relation. So the point that is near to the relations
// completing a triple is that of a missing head, with the head in place of the relation.
void RelationSoftmax::learn(std::span<const Triple> triples, float* changes) {
  const int64_t width = score_.width();
  triples_.assign(triples.begin(), triples.end());
  point_gradients_.grow(std::ssize(triples) * width);
  for (int64_t first = 0; first < std::ssize(triples); first += settings_.batch) {
    const int64_t count = std::min(settings_.batch, std::ssize(triples) - first);
    const auto some = triples.subspan(static_cast<size_t>(first), static_cast<size_t>(count));
    float* const gradients = point_gradients_.data() + first * width;
    in_blocks(settings_.threads, count, kRelationTriplesPerBlock, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Triple& triple = some[static_cast<size_t>(i)];
        score_.query_point(Side::kHead, model_.entities.row(triple.tail),
                           model_.entities.row(triple.head), points_.data() + i * width);
      }
    });
    products_->score({points_.data(), count}, {model_.relations, nullptr, model_.relations.rows()},
                     logits_.data());
    learn_logits(some);
    products_->mix(logits_.data(), gradients, changes, first > 0);
  }
}

// Replaces logits by the loss's gradient.
void RelationSoftmax::learn_logits(std::span<const Triple> triples) {
  const int64_t relations = model_.relations.rows();
  in_blocks(settings_.threads, std::ssize(triples), kRelationTriplesPerBlock,
            [&](int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i) {
                float* const row = logits_.data() + i * stride_;
                softmax_rows(row, 1, {nullptr, 1, relations}, row, nullptr);
                for (int64_t j = 0; j < relations; ++j) row[j] *= settings_.relation_weight;
                row[triples[static_cast<size_t>(i)].relation] -= settings_.relation_weight;
              }
            });
}

void RelationSoftmax::add_gradient(int64_t i, Part part, float* gradient) const {
  const Triple& triple = triples_[static_cast<size_t>(i)];
  const bool tail = part == Part::kTail;
  score_.add_point_gradient(Side::kHead, model_.entities.row(triple.tail),
                            model_.entities.row(triple.head),
                            point_gradients_.data() + i * score_.width(), tail ? gradient : nullptr,
                            tail ? nullptr : gradient);
}

SoftmaxSteps::SoftmaxSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
                           const KgSettings& settings, std::span<const float> shares)
    : model_(model),
      score_(dynamic_cast<const ProductScore&>(*model.score)),
      settings_(settings),
      shares_(shares),
      drawn_(drawn_of(settings, model.entities.rows())),
      rows_({{model.entities, entity_moments}, {model.relations, relation_moments}},
            settings.optimizer, most_occurrences(settings, model), settings.threads),
      candidate_of_(static_cast<size_t>(model.entities.rows()), -1),
      logit_stride_(stride_for(most_columns(settings, model.entities.rows()))),
      logits_(settings.batch * logit_stride_),
      points_(settings.batch * rows_.width()),
      point_gradients_(settings.batch * rows_.width()),
      slope_sums_(static_cast<size_t>(settings.batch)),
      losses_(static_cast<size_t>(settings.batch)) {
  const int64_t columns = most_columns(settings, model.entities.rows());
  products_ = make_table_products(settings.precision,
                                  {settings.batch, columns, rows_.width(), logit_stride_},
                                  settings.threads);
  if (settings.relation_weight > 0) relation_softmax_.emplace(model, settings);
}

// Draws the candidates and, in-batch, adds the first answers.
void SoftmaxSteps::choose_candidates(Random& random) {
  const int64_t all = model_.entities.rows();
  for (const int32_t id : candidates_) candidate_of_[static_cast<size_t>(id)] = -1;
  candidates_.clear();
  for (int32_t id = 0; drawn_ == all && id < all; ++id) add_candidate(id);
  while (shared() < drawn_) {
    add_candidate(static_cast<int32_t>(random.below(static_cast<uint32_t>(all))));
  }
  if (shares_.empty()) return;
  for (const Question& one : *questions_) add_candidate(one.answers.front());
}

void SoftmaxSteps::list_occurrences() {
  const auto relation_row = [&](int32_t relation) {
    return static_cast<int32_t>(model_.entities.rows()) + relation;
  };
  occurrences_.assign(candidates_.begin(), candidates_.end());
  firsts_.relations = std::ssize(occurrences_);
  for (int32_t id = 0; relation_softmax_ && id < model_.relations.rows(); ++id) {
    occurrences_.push_back(relation_row(id));
  }
  firsts_.answers = std::ssize(occurrences_);
  first_answers_.clear();
  answer_questions_.clear();
  for (size_t i = 0; i < questions_->size(); ++i) {
    first_answers_.push_back(std::ssize(answer_questions_));
    for (const int32_t answer : question(i).answers) {
      occurrences_.push_back(answer);
      answer_questions_.push_back(static_cast<int32_t>(i));
    }
  }
  firsts_.questions = std::ssize(occurrences_);
  for (const Question& one : *questions_) {
    occurrences_.push_back(one.kept);
    occurrences_.push_back(relation_row(one.relation));
  }
}

// Computes the points, and what distances need.
void SoftmaxSteps::prepare() {
  const int64_t count = std::ssize(*questions_);
  if (score_.is_euclidean()) {
    squares_.resize(candidates_.size());
    in_blocks(settings_.threads, shared(), kCandidatesPerBlock, [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
        squares_[static_cast<size_t>(j)] = score_.square(candidate_row(j));
      }
    });
  }
  in_blocks(settings_.threads, count, kQuestionsPerBlock, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      score_.query_point(Side::kTail, model_.entities.row(question(i).kept),
                         model_.relations.row(question(i).relation), point(i));
    }
  });
}

// Fills shifts_.
void SoftmaxSteps::find_shifts() {
  const double not_drawn =
      1 - static_cast<double>(drawn_) / static_cast<double>(model_.entities.rows());
  const auto others = static_cast<double>(questions_->size()) - 1;  // the other questions
  shifts_.resize(candidates_.size());
  in_blocks(settings_.threads, shared(), kCandidatesPerBlock, [&](int64_t begin, int64_t end) {
    for (auto j = static_cast<size_t>(begin); j < static_cast<size_t>(end); ++j) {
      const double share = double{shares_[static_cast<size_t>(candidates_[j])]};
      const double missing = not_drawn * std::pow(1 - share, others);
      shifts_[j] = static_cast<float>(-std::log1p(-missing));
    }
  });
}

// Shifts logits so that the candidates of a question represent all entities. Its answers represent
// only themselves: the caller sets the logits of their columns.
void SoftmaxSteps::shift_logits(float* row, std::span<const int64_t> answers) const {
  if (!shares_.empty()) {
    for (int64_t j = 0; j < shared(); ++j) row[j] += shifts_[static_cast<size_t>(j)];
    return;
  }
  const auto all = static_cast<double>(model_.entities.rows());
  const int64_t others = drawn_ - std::count_if(answers.begin(), answers.end(),
                                                [&](int64_t column) { return column < drawn_; });
  const double represented =
      others > 0 ? (all - static_cast<double>(answers.size())) / static_cast<double>(others) : 1;
  const auto shift = static_cast<float>(std::log(std::max(represented, 1.0)));
  for (int64_t j = 0; shift > 0 && j < drawn_; ++j) row[j] += shift;
}

// Replaces a question's logits by the loss's gradient. Returns the loss.
double SoftmaxSteps::learn_logits(size_t i) {
  float* const row = logits(i);
  const int64_t columns = shared() + answers_of(i);
  std::vector<int64_t> answers;  // their columns
  std::vector<float> true_logits;
  for (int64_t j = shared(); j < columns; ++j) {
    const int64_t candidate = candidate_of_[static_cast<size_t>(entity_in(i, j))];
    answers.push_back(candidate >= 0 ? candidate : j);
    true_logits.push_back(row[answers.back()]);
  }
  shift_logits(row, answers);
  for (size_t k = 0; k < answers.size(); ++k) row[answers[k]] = true_logits[k];
  softmax_rows(row, 1, {nullptr, 1, columns}, row, nullptr);
  constexpr float kLeast = std::numeric_limits<float>::min();
  double loss = 0;
  for (const int64_t answer : answers) {
    loss -= std::log(static_cast<double>(std::max(row[answer], kLeast)));
  }
  const auto weight = static_cast<float>(answers.size());
  for (int64_t j = 0; answers.size() > 1 && j < columns; ++j) row[j] *= weight;
  const float answer_weight = score_.is_euclidean() ? 1 + settings_.distance_weight : 1;
  for (const int64_t answer : answers) row[answer] -= answer_weight;
  return loss;
}

// Replaces a question's products q · t by logits −‖q − t‖, and sets `inverses` to 1 / ‖q − t‖.
void SoftmaxSteps::to_distances(size_t i, float* inverses) {
  float* const row = logits(i);
  const float square = score_.square(point(i));
  float squares[Questions::kMostAnswers];
  for (int64_t k = 0; k < answers_of(i); ++k) {
    squares[k] = score_.square(model_.entities.row(entity_in(i, shared() + k)));
  }
  distances_of_products(square, squares_.data(), shared(), row, inverses);
  distances_of_products(square, squares, answers_of(i), row + shared(), inverses + shared());
  std::transform(row, row + shared() + answers_of(i), row, std::negate<>());
}

// Replaces the gradients w by the logits by those by the products, v = w / ‖q − t‖. The other
// terms, −v q for the point (with the sum of its v) and −v t for the entity, are added elsewhere.
void SoftmaxSteps::to_products(size_t i, const float* inverses) {
  float* const row = logits(i);
  const int64_t columns = shared() + answers_of(i);
  std::transform(row, row + columns, inverses, row, std::multiplies<>());
  slope_sums_[i] = std::reduce(row, row + columns);
}

// Computes the logits of a question's own columns, then all its gradients.
void SoftmaxSteps::learn_question(size_t i) {
  float* const row = logits(i);
  const int64_t columns = shared() + answers_of(i);
  for (int64_t j = shared(); j < columns; ++j) {
    row[j] = row_product(point(i), model_.entities.row(entity_in(i, j)), rows_.width());
  }
  std::vector<float> inverses;
  if (score_.is_euclidean()) {
    inverses.resize(static_cast<size_t>(columns));
    to_distances(i, inverses.data());
  }
  for (int64_t j = shared(); j < columns; ++j) {
    const bool is_candidate = candidate_of_[static_cast<size_t>(entity_in(i, j))] >= 0;
    if (is_candidate) row[j] = -std::numeric_limits<float>::infinity();
  }
  losses_[i] = learn_logits(i);
  if (score_.is_euclidean()) to_products(i, inverses.data());
}

// Adds −Σ v t to the gradient of each candidate t (to_products()).
void SoftmaxSteps::add_candidate_gradients() {
  in_blocks(settings_.threads, shared(), kCandidatesPerBlock, [&](int64_t begin, int64_t end) {
    std::array<float, kCandidatesPerBlock> sums{};
    for (size_t i = 0; i < questions_->size(); ++i) {
      const float* const slopes = logits(i) + begin;
      for (size_t j = 0; j < static_cast<size_t>(end - begin); ++j) sums[j] += slopes[j];
    }
    for (int64_t j = begin; j < end; ++j) {
      add_scaled(candidate_row(j), -sums[static_cast<size_t>(j - begin)], rows_.width(),
                 rows_.dense() + j * rows_.width());
    }
  });
}

// Adds to the gradient of the question's point the terms that are not products with candidates.
void SoftmaxSteps::add_answers(size_t i) {
  for (int64_t j = shared(); j < shared() + answers_of(i); ++j) {
    add_scaled(model_.entities.row(entity_in(i, j)), logits(i)[j], rows_.width(),
               point_gradient(i));
  }
  if (score_.is_euclidean()) {
    add_scaled(point(i), -slope_sums_[i], rows_.width(), point_gradient(i));
  }
}

void SoftmaxSteps::learn_relations() {
  triples_.clear();
  for (const Question& one : *questions_) {
    for (const int32_t answer : one.answers) {
      triples_.push_back({one.kept, one.relation, answer});
    }
  }
  relation_softmax_->learn(triples_, rows_.dense() + firsts_.relations * rows_.width());
}

void SoftmaxSteps::add_gradient(int64_t occurrence, float* gradient) {
  if (occurrence < firsts_.questions) {
    return add_answer_gradient(occurrence - firsts_.answers, gradient);
  }
  const int64_t place = occurrence - firsts_.questions;
  const auto i = static_cast<size_t>(place / 2);
  if (place % 2 == 0) return add_kept_gradient(i, gradient);
  const Question& one = question(i);
  const float* const relation = model_.relations.row(one.relation);
  score_.add_point_gradient(Side::kTail, model_.entities.row(one.kept), relation, point_gradient(i),
                            nullptr, gradient);
  add_n3(relation, answers_of(i), gradient);
}

void SoftmaxSteps::add_kept_gradient(size_t i, float* gradient) {
  const Question& one = question(i);
  const float* const kept = model_.entities.row(one.kept);
  score_.add_point_gradient(Side::kTail, kept, model_.relations.row(one.relation),
                            point_gradient(i), gradient, nullptr);
  add_n3(kept, answers_of(i), gradient);
  for (int64_t k = 0; relation_softmax_ && k < answers_of(i); ++k) {
    relation_softmax_->add_gradient(first_answers_[i] + k, Part::kHead, gradient);
  }
}

// Adds the gradient from an answer's own column, if it has one, and from the loss's other terms.
void SoftmaxSteps::add_answer_gradient(int64_t answer, float* gradient) {
  const auto i = static_cast<size_t>(answer_questions_[static_cast<size_t>(answer)]);
  const int64_t column = shared() + answer - first_answers_[i];
  const int32_t entity = entity_in(i, column);
  const float slope = logits(i)[column];
  const float* const row = model_.entities.row(entity);
  if (slope != 0) add_scaled(point(i), slope, rows_.width(), gradient);
  if (slope != 0 && score_.is_euclidean()) add_scaled(row, -slope, rows_.width(), gradient);
  add_n3(row, 1, gradient);
  if (relation_softmax_) relation_softmax_->add_gradient(answer, Part::kTail, gradient);
}

Mean SoftmaxSteps::step(int64_t number, float rate, const std::vector<Question>& questions,
                        Random& random) {
  questions_ = &questions;
  choose_candidates(random);
  list_occurrences();
  prepare();
  const auto count = std::ssize(questions);
  // All entities are drawn in their order.
  const int32_t* const ids = drawn_ == model_.entities.rows() ? nullptr : candidates_.data();
  products_->score({points_.data(), count}, {model_.entities, ids, shared()}, logits_.data());
  if (!shares_.empty()) find_shifts();
  in_blocks(settings_.threads, count, kQuestionsPerBlock, [&](int64_t begin, int64_t end) {
    interrupt_if_stopped();
    for (int64_t i = begin; i < end; ++i) learn_question(static_cast<size_t>(i));
  });
  products_->mix(logits_.data(), point_gradients_.data(), rows_.dense(), false);
  if (score_.is_euclidean()) add_candidate_gradients();
  in_blocks(settings_.threads, count, kQuestionsPerBlock, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) add_answers(static_cast<size_t>(i));
  });
  if (relation_softmax_) learn_relations();
  rows_.group(occurrences_.data(), std::ssize(occurrences_), firsts_.answers);
  rows_.accumulate(
      [&](int64_t occurrence, float* gradient) { add_gradient(occurrence, gradient); });
  rows_.step(number, rate);
  double loss = 0;
  for (size_t i = 0; i < questions.size(); ++i) loss += losses_[i];
  return {loss, static_cast<double>(answer_questions_.size())};
}

}  // namespace acevec
