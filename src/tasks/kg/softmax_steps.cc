#include "tasks/kg/softmax_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/policy_kernels.h"
#include "math/large_products.h"
#include "tasks/kg/product_score.h"

namespace acevec {
namespace {

int64_t candidates_of(const SoftmaxSettings& settings, int64_t entities) {
  return settings.candidates == 0 ? entities : std::min(settings.candidates, entities);
}

// Columns at most.
int64_t most_columns(const SoftmaxSettings& settings, int64_t entities) {
  return std::min(entities, candidates_of(settings, entities) +
                                settings.most_questions * Questions::kMostAnswers);
}

// Rows of entities that a step touches, at most.
int64_t most_rows(const SoftmaxSettings& settings, int64_t entities) {
  return std::min(entities, most_columns(settings, entities) + settings.most_questions);
}

// Rows of logits begin in different sets of the caches.
int64_t stride_for(int64_t columns) {
  return (padded(columns) / kRowPadding | 1) * kRowPadding;
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
      relations_(model.relations, relation_moments, settings.optimizer, settings.most_questions),
      logit_stride_(stride_for(most_columns(settings, model.entities.rows()))),
      logits_(settings.most_questions * logit_stride_),
      points_(settings.most_questions * padded(model.score->size())),
      point_gradients_(settings.most_questions * padded(model.score->size())) {}

int64_t SoftmaxSteps::bytes(const Score& score, int64_t entities, int64_t relations,
                            const SoftmaxSettings& settings) {
  const int64_t columns = stride_for(most_columns(settings, entities));
  return BatchRows::bytes(entities, score.entity_width(), settings.optimizer,
                          most_rows(settings, entities)) +
         BatchRows::bytes(relations, score.relation_width(), settings.optimizer,
                          settings.most_questions) +
         (settings.most_questions * (columns + 2 * padded(score.size())) + columns) *
             static_cast<int64_t>(sizeof(float));
}

// Gives candidates the first places, drawn ones before answers; then all else has one.
void SoftmaxSteps::place(const std::vector<Question>& questions, Random& random) {
  const int64_t all = model_.entities.rows();
  drawn_ = candidates_of(settings_, all);
  for (int32_t id = 0; drawn_ == all && id < all; ++id) entities_.place(id);
  while (entities_.count() < drawn_) {
    entities_.place(static_cast<int32_t>(random.below(static_cast<uint32_t>(all))));
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
  columns_ = entities_.count();
  for (size_t i = 0; i < questions.size(); ++i) {
    placed_[i].kept = entities_.place(questions[i].kept);
  }
  entities_.gather();
  relations_.gather();
}

// Fills the logits.
void SoftmaxSteps::score(const std::vector<Question>& questions) {
  const Score& score = *model_.score;
  std::vector<float> projected(static_cast<size_t>(score.size()));
  for (size_t i = 0; i < questions.size(); ++i) {
    const float* const kept = entities_.values() + placed_[i].kept;
    const float* const relation = relations_.values() + placed_[i].relation;
    if (score.is_product()) {
      score.ask(questions[i].side, kept, relation, projected.data(), point(i));
      continue;
    }
    const bool asks_tail = questions[i].side == Side::kTail;
    for (int64_t j = 0; j < columns_; ++j) {
      const float* const candidate = entities_.values() + j * entities_.width();
      logits(i)[j] = -(asks_tail ? score.distance(kept, relation, candidate)
                                 : score.distance(candidate, relation, kept));
    }
  }
  if (!score.is_product()) return;
  score_tables({points_.data(), static_cast<int64_t>(questions.size())},
               {entities_.values(), columns_}, entities_.width(), {logits_.data(), logit_stride_});
}

// Fills shifts_.
void SoftmaxSteps::find_shifts() {
  const double not_drawn =
      1 - static_cast<double>(drawn_) / static_cast<double>(model_.entities.rows());
  const auto others = static_cast<double>(answer_places_.size()) - 1;  // answers but a question's
  shifts_.clear();
  for (int64_t j = 0; j < columns_; ++j) {
    const double share = double{settings_.shares[static_cast<size_t>(entities_.id(j))]};
    const double missing = not_drawn * std::pow(1 - share, others);
    shifts_.push_back(static_cast<float>(-std::log1p(-missing)));
  }
}

// Makes the candidates of a question stand for all entities. Its answers, of which there are
// so many, stand for themselves, and their logits are what the caller makes them.
void SoftmaxSteps::shift_logits(size_t question, size_t answers) {
  float* const row = logits(question);
  if (!settings_.shares.empty()) {
    for (int64_t j = 0; j < columns_; ++j) row[j] += shifts_[static_cast<size_t>(j)];
    return;
  }
  const int64_t* const places = answer_places_.data() + placed_[question].answers;
  const auto all = static_cast<double>(model_.entities.rows());
  const int64_t others = drawn_ - std::count_if(places, places + answers,
                                                [&](int64_t place) { return place < drawn_; });
  const double stands_for =
      others > 0 ? (all - static_cast<double>(answers)) / static_cast<double>(others) : 1;
  const auto shift = static_cast<float>(std::log(std::max(stands_for, 1.0)));
  for (int64_t j = 0; shift > 0 && j < drawn_; ++j) row[j] += shift;
  std::fill(row + drawn_, row + columns_, -std::numeric_limits<float>::infinity());
}

// Turns logits into the loss's slopes by them. Returns the loss.
double SoftmaxSteps::learn_logits(const std::vector<Question>& questions) {
  double loss = 0;
  std::vector<float> true_logits;
  for (size_t i = 0; i < questions.size(); ++i) {
    float* const row = logits(i);
    const int64_t* const places = answer_places_.data() + placed_[i].answers;
    const size_t answers = questions[i].answers.size();
    true_logits.clear();
    for (size_t k = 0; k < answers; ++k) true_logits.push_back(row[places[k]]);
    shift_logits(i, answers);
    for (size_t k = 0; k < answers; ++k) row[places[k]] = true_logits[k];
    softmax_rows(row, 1, {nullptr, 1, columns_}, row, nullptr);
    constexpr float kLeast = std::numeric_limits<float>::min();
    for (size_t k = 0; k < answers; ++k) {
      loss -= std::log(static_cast<double>(std::max(row[places[k]], kLeast)));
    }
    const auto weight = static_cast<float>(answers);
    for (int64_t j = 0; answers > 1 && j < columns_; ++j) row[j] *= weight;
    for (size_t k = 0; k < answers; ++k) row[places[k]] -= 1;
  }
  return loss;
}

// By the chain rule, from slopes by logits to the rows' changes.
void SoftmaxSteps::add_gradients(const std::vector<Question>& questions) {
  const Score& score = *model_.score;
  if (score.is_product()) return add_product_gradients(questions);
  for (size_t i = 0; i < questions.size(); ++i) {
    const bool asks_tail = questions[i].side == Side::kTail;
    for (int64_t j = 0; j < columns_; ++j) {
      const float slope = logits(i)[j];
      if (slope == 0) continue;
      const int64_t candidate = j * entities_.width();
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
  const auto count = static_cast<int64_t>(questions.size());
  const int64_t width = entities_.width();
  std::fill_n(point_gradients_.data(), count * width, 0.0F);
  mix_tables({logits_.data(), logit_stride_, 1}, count, {entities_.values(), columns_}, width,
             point_gradients_.data());
  mix_tables({logits_.data(), 1, logit_stride_}, columns_, {points_.data(), count}, width,
             entities_.changes());
  for (size_t i = 0; i < questions.size(); ++i) {
    product(model_).add_point_gradient(questions[i].side, entities_.values() + placed_[i].kept,
                                       relations_.values() + placed_[i].relation,
                                       point_gradients_.data() + static_cast<int64_t>(i) * width,
                                       entities_.changes() + placed_[i].kept,
                                       relations_.changes() + placed_[i].relation);
  }
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

SoftmaxLoss SoftmaxSteps::step(int64_t number, float rate, const std::vector<Question>& questions,
                               Random& random) {
  place(questions, random);
  score(questions);
  if (!settings_.shares.empty()) find_shifts();
  SoftmaxLoss loss;
  loss.loss = learn_logits(questions);
  loss.triples = static_cast<double>(answer_places_.size());
  add_gradients(questions);
  if (settings_.cubes > 0) add_penalty(questions);
  entities_.step(number, rate);
  relations_.step(number, rate);
  return loss;
}

}  // namespace acevec
