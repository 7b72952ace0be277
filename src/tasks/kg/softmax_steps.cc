#include "tasks/kg/softmax_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/policy_kernels.h"
#include "tasks/kg/product_score.h"

namespace acevec {
namespace {

int64_t candidates_of(const SoftmaxSettings& settings, int64_t entities) {
  return settings.candidates == 0 ? entities : std::min(settings.candidates, entities);
}

// Columns at most: drawn entities, in-batch an answer of each question, and a question's answers.
int64_t most_columns(const SoftmaxSettings& settings, int64_t entities) {
  const int64_t in_batch = settings.shares.empty() ? 0 : settings.most_questions;
  return Questions::kMostAnswers + std::min(entities, candidates_of(settings, entities) + in_batch);
}

// Rows of entities that a step touches, at most.
int64_t most_rows(const SoftmaxSettings& settings, int64_t entities) {
  return std::min(entities, candidates_of(settings, entities) +
                                settings.most_questions * (Questions::kMostAnswers + 1));
}

// Rows of relations that a step touches, at most.
int64_t most_relations(const SoftmaxSettings& settings, int64_t relations) {
  return settings.relations > 0 ? relations : std::min(relations, settings.most_questions);
}

// Rows of logits begin in different sets of the caches.
int64_t stride_for(int64_t columns) {
  return (padded(columns) / kRowPadding | 1) * kRowPadding;
}

// Of questions' points with candidates, at most.
TableProducts::Shape products_shape(const Score& score, const SoftmaxSettings& settings,
                                    int64_t entities) {
  const int64_t columns = most_columns(settings, entities);
  return {settings.most_questions, columns, padded(score.size()), stride_for(columns)};
}

// Of a product score, whose vectors have no floats beside these.
const ProductScore& product(const KgModel& model) {
  return static_cast<const ProductScore&>(*model.score);
}

}  // namespace

SoftmaxSteps::SoftmaxSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
                           const SoftmaxSettings& settings)
    : model_(model),
      settings_(settings),
      entities_(model.entities, entity_moments, settings.optimizer,
                most_rows(settings, model.entities.rows())),
      relations_(model.relations, relation_moments, settings.optimizer,
                 most_relations(settings, model.relations.rows())),
      logit_stride_(stride_for(most_columns(settings, model.entities.rows()))),
      logits_(settings.most_questions * logit_stride_),
      points_(settings.most_questions * padded(model.score->size())),
      point_gradients_(settings.most_questions * padded(model.score->size())) {
  if (!model.score->is_product()) return;
  products_ = make_table_products(settings.precision,
                                  products_shape(*model.score, settings, model.entities.rows()));
  if (settings.relations > 0) {
    relation_softmax_.emplace(product(model), model.relations.rows(), settings.relations,
                              settings.most_questions, settings.precision);
  }
}

int64_t SoftmaxSteps::bytes(const Score& score, int64_t entities, int64_t relations,
                            const SoftmaxSettings& settings) {
  const int64_t columns = stride_for(most_columns(settings, entities));
  const int64_t products =
      score.is_product()
          ? table_products_bytes(settings.precision, products_shape(score, settings, entities))
          : 0;
  const int64_t predicted =
      settings.relations > 0
          ? RelationSoftmax::bytes(score, relations, settings.most_questions, settings.precision)
          : 0;
  return products + predicted +
         BatchRows::bytes(entities, score.entity_width(), settings.optimizer,
                          most_rows(settings, entities)) +
         BatchRows::bytes(relations, score.relation_width(), settings.optimizer,
                          most_relations(settings, relations)) +
         (settings.most_questions * (columns + 2 * padded(score.size())) + columns) * kFloatSize;
}

// Gives candidates the first places, drawn ones before answers; then all else has one.
void SoftmaxSteps::place(const std::vector<Question>& questions, Random& random) {
  const int64_t all = model_.entities.rows();
  drawn_ = candidates_of(settings_, all);
  for (int32_t id = 0; drawn_ == all && id < all; ++id) entities_.place(id);
  while (entities_.count() < drawn_) {
    entities_.place(static_cast<int32_t>(random.below(static_cast<uint32_t>(all))));
  }
  for (size_t i = 0; !settings_.shares.empty() && i < questions.size(); ++i) {
    entities_.place(questions[i].answers.front());
  }
  shared_ = entities_.count();
  for (int32_t id = 0; relation_softmax_ && id < model_.relations.rows(); ++id) {
    relations_.place(id);
  }
  placed_.clear();
  answer_places_.clear();
  for (const Question& question : questions) {
    placed_.push_back(
        {0, relations_.place(question.relation), static_cast<int64_t>(answer_places_.size())});
    for (const int32_t answer : question.answers) {
      answer_places_.push_back(entities_.place(answer) / entities_.width());
    }
  }
  for (size_t i = 0; i < questions.size(); ++i) {
    placed_[i].kept = entities_.place(questions[i].kept);
  }
  entities_.gather();
  relations_.gather();
}

// Fills the logits: of the shared candidates, then of those answers that are none.
void SoftmaxSteps::score(const std::vector<Question>& questions) {
  const Score& score = *model_.score;
  for (size_t i = 0; i < questions.size() && score.is_product(); ++i) {
    score.ask(questions[i].side, entities_.values() + placed_[i].kept,
              relations_.values() + placed_[i].relation, point(i));
  }
  if (score.is_product()) {
    products_->score({points_.data(), std::ssize(questions)}, {entities_.values(), shared_},
                     logits_.data());
  }
  for (size_t i = 0; i < questions.size(); ++i) {
    const int64_t columns = shared_ + std::ssize(questions[i].answers);
    for (int64_t j = score.is_product() ? shared_ : 0; j < columns; ++j) {
      const bool twice = j >= shared_ && place_of(i, j) < shared_;
      logits(i)[j] =
          twice ? -std::numeric_limits<float>::infinity() : logit(questions[i].side, i, j);
    }
  }
}

// Of the candidate in a column.
float SoftmaxSteps::logit(Side side, size_t question, int64_t column) {
  const Score& score = *model_.score;
  const float* const candidate =
      entities_.values() + place_of(question, column) * entities_.width();
  if (score.is_product()) return row_product(point(question), candidate, entities_.width());
  const float* const kept = entities_.values() + placed_[question].kept;
  const float* const relation = relations_.values() + placed_[question].relation;
  return -(side == Side::kTail ? score.distance(kept, relation, candidate)
                               : score.distance(candidate, relation, kept));
}

// Fills shifts_.
void SoftmaxSteps::find_shifts() {
  const double not_drawn =
      1 - static_cast<double>(drawn_) / static_cast<double>(model_.entities.rows());
  const auto others = static_cast<double>(placed_.size()) - 1;  // questions but one
  shifts_.clear();
  for (int64_t j = 0; j < shared_; ++j) {
    const double share = double{settings_.shares[static_cast<size_t>(entities_.id(j))]};
    const double missing = not_drawn * std::pow(1 - share, others);
    shifts_.push_back(static_cast<float>(-std::log1p(-missing)));
  }
}

// Makes the candidates of a question stand for all entities. Its answers, which are in these
// columns, stand for themselves: their logits are what the caller makes them.
void SoftmaxSteps::shift_logits(float* row, std::span<const int64_t> answers) {
  if (!settings_.shares.empty()) {
    for (int64_t j = 0; j < shared_; ++j) row[j] += shifts_[static_cast<size_t>(j)];
    return;
  }
  const auto all = static_cast<double>(model_.entities.rows());
  const int64_t others = drawn_ - std::count_if(answers.begin(), answers.end(),
                                                [&](int64_t column) { return column < drawn_; });
  const double stands_for =
      others > 0 ? (all - static_cast<double>(answers.size())) / static_cast<double>(others) : 1;
  const auto shift = static_cast<float>(std::log(std::max(stands_for, 1.0)));
  for (int64_t j = 0; shift > 0 && j < drawn_; ++j) row[j] += shift;
}

// Turns logits into the loss's slopes by them. Returns the loss.
double SoftmaxSteps::learn_logits(const std::vector<Question>& questions) {
  double loss = 0;
  std::vector<int64_t> answers;  // their columns
  std::vector<float> true_logits;
  for (size_t i = 0; i < questions.size(); ++i) {
    float* const row = logits(i);
    const int64_t columns = shared_ + std::ssize(questions[i].answers);
    answers.clear();
    true_logits.clear();
    for (int64_t j = shared_; j < columns; ++j) {
      answers.push_back(place_of(i, j) < shared_ ? place_of(i, j) : j);
      true_logits.push_back(row[answers.back()]);
    }
    shift_logits(row, answers);
    for (size_t k = 0; k < answers.size(); ++k) row[answers[k]] = true_logits[k];
    softmax_rows(row, 1, {nullptr, 1, columns}, row, nullptr);
    constexpr float kLeast = std::numeric_limits<float>::min();
    for (const int64_t answer : answers) {
      loss -= std::log(static_cast<double>(std::max(row[answer], kLeast)));
    }
    const auto weight = static_cast<float>(answers.size());
    for (int64_t j = 0; answers.size() > 1 && j < columns; ++j) row[j] *= weight;
    for (const int64_t answer : answers) row[answer] -= 1;
  }
  return loss;
}

// By the chain rule, from slopes by logits to the rows' changes.
void SoftmaxSteps::add_gradients(const std::vector<Question>& questions) {
  const Score& score = *model_.score;
  if (score.is_product()) return add_product_gradients(questions);
  for (size_t i = 0; i < questions.size(); ++i) {
    const bool asks_tail = questions[i].side == Side::kTail;
    for (int64_t j = 0; j < shared_ + std::ssize(questions[i].answers); ++j) {
      const float slope = logits(i)[j];
      if (slope == 0) continue;
      const int64_t candidate = place_of(i, j) * entities_.width();
      const int64_t head = asks_tail ? placed_[i].kept : candidate;
      const int64_t tail = asks_tail ? candidate : placed_[i].kept;
      const int64_t relation = placed_[i].relation;
      score.add_gradient(
          {entities_.values() + head, relations_.values() + relation, entities_.values() + tail},
          -slope,
          {entities_.changes() + head, relations_.changes() + relation,
           entities_.changes() + tail});
    }
  }
}

void SoftmaxSteps::add_product_gradients(const std::vector<Question>& questions) {
  const int64_t width = entities_.width();
  std::fill_n(point_gradients_.data(), std::ssize(questions) * width, 0.0F);
  products_->mix(logits_.data(), point_gradients_.data(), entities_.changes());
  for (size_t i = 0; i < questions.size(); ++i) {
    float* const point_gradient = point_gradients_.data() + static_cast<int64_t>(i) * width;
    for (int64_t j = shared_; j < shared_ + std::ssize(questions[i].answers); ++j) {
      const int64_t answer = place_of(i, j) * width;
      add_scaled(entities_.values() + answer, logits(i)[j], width, point_gradient);
      add_scaled(point(i), logits(i)[j], width, entities_.changes() + answer);
    }
    product(model_).add_point_gradient(questions[i].side, entities_.values() + placed_[i].kept,
                                       relations_.values() + placed_[i].relation, point_gradient,
                                       entities_.changes() + placed_[i].kept,
                                       relations_.changes() + placed_[i].relation);
  }
}

void SoftmaxSteps::learn_relations(const std::vector<Question>& questions) {
  triples_.clear();
  for (size_t i = 0; i < questions.size(); ++i) {
    for (size_t k = 0; k < questions[i].answers.size(); ++k) {
      const int64_t answer =
          answer_places_[static_cast<size_t>(placed_[i].answers) + k] * entities_.width();
      const bool asks_tail = questions[i].side == Side::kTail;
      triples_.push_back({asks_tail ? placed_[i].kept : answer, placed_[i].relation,
                          asks_tail ? answer : placed_[i].kept});
    }
  }
  relation_softmax_->add_gradients(triples_, entities_, relations_);
}

void SoftmaxSteps::add_penalty(const std::vector<Question>& questions) {
  const ProductScore& score = product(model_);
  const auto add = [&](const BatchRows& rows, float* changes, int64_t at, float times) {
    score.add_cubes(rows.values() + at, times * settings_.cubes, changes + at);
  };
  for (size_t i = 0; i < questions.size(); ++i) {
    const auto times = static_cast<float>(questions[i].answers.size());
    add(entities_, entities_.changes(), placed_[i].kept, times);
    add(relations_, relations_.changes(), placed_[i].relation, times);
    for (size_t k = 0; k < questions[i].answers.size(); ++k) {
      const int64_t place = answer_places_[static_cast<size_t>(placed_[i].answers) + k];
      add(entities_, entities_.changes(), place * entities_.width(), 1);
    }
  }
}

Mean SoftmaxSteps::step(int64_t number, float rate, const std::vector<Question>& questions,
                        Random& random) {
  place(questions, random);
  score(questions);
  if (!settings_.shares.empty()) find_shifts();
  const Mean loss{learn_logits(questions), static_cast<double>(answer_places_.size())};
  add_gradients(questions);
  if (relation_softmax_) learn_relations(questions);
  if (settings_.cubes > 0) add_penalty(questions);
  entities_.step(number, rate);
  relations_.step(number, rate);
  return loss;
}

}  // namespace acevec
