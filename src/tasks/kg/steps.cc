#include "tasks/kg/steps.h"

#include <algorithm>
#include <cmath>

namespace acevec {
namespace {

// In a step, at most.
int64_t most_negatives(const KgSettings& settings) {
  return settings.batch * (settings.negatives + (settings.adversary ? 1 : 0));
}

int64_t most_entities(const KgSettings& settings) {
  return 2 * settings.batch + most_negatives(settings);
}

}  // namespace

KgSteps::KgSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
                 const KgSettings& settings)
    : model_(model),
      settings_(settings),
      entities_(model.entities, entity_moments, settings.optimizer, most_entities(settings)),
      relations_(model.relations, relation_moments, settings.optimizer, settings.batch) {}

int64_t KgSteps::bytes(const Score& score, int64_t entities, int64_t relations,
                       const KgSettings& settings) {
  return BatchRows::bytes(entities, score.entity_width(), settings.optimizer,
                          most_entities(settings)) +
         BatchRows::bytes(relations, score.relation_width(), settings.optimizer, settings.batch) +
         // Lists that grow with the step, to twice what they need.
         2 * (settings.batch + most_negatives(settings)) *
             static_cast<int64_t>(sizeof(Placed) + sizeof(Negative));
}

KgSteps::Placed KgSteps::place(const Triple& triple) {
  return {entities_.place(triple.head), relations_.place(triple.relation),
          entities_.place(triple.tail)};
}

float KgSteps::distance(const Placed& at) const {
  return model_.score->distance(entities_.values() + at.head, relations_.values() + at.relation,
                                entities_.values() + at.tail);
}

void KgSteps::add_gradient(const Placed& at, float scale) {
  model_.score->add_gradient({entities_.values() + at.head, relations_.values() + at.relation,
                              entities_.values() + at.tail},
                             scale,
                             {entities_.changes() + at.head, relations_.changes() + at.relation,
                              entities_.changes() + at.tail});
}

// Takes the step, after which the vector that a row begins with is no longer than the longest.
void KgSteps::change(BatchRows& rows, int64_t number, float rate) const {
  if (settings_.longest <= 0) return rows.step(number, rate);
  rows.step(number, rate, [&](const float* values, float* changes, int64_t count) {
    shorten(values, changes, count, rows.width());
  });
}

void KgSteps::shorten(const float* values, float* changes, int64_t count, int64_t width) const {
  constexpr int64_t kRows = 4;  // whose sums do not wait for each other
  const float longest = settings_.longest;
  const int64_t size = model_.score->size();
  for (int64_t begin = 0; begin < count; begin += kRows) {
    const int64_t rows = std::min(kRows, count - begin);
    float squares[kRows] = {};
    for (int64_t k = 0; k < size; ++k) {
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t at = (begin + i) * width + k;
        squares[i] += (values[at] + changes[at]) * (values[at] + changes[at]);
      }
    }
    for (int64_t i = 0; i < rows; ++i) {
      if (squares[i] <= longest * longest) continue;
      const float* const value = values + (begin + i) * width;
      float* const change = changes + (begin + i) * width;
      const float scale = longest / std::sqrt(squares[i]);
      for (int64_t k = 0; k < size; ++k) change[k] = scale * (value[k] + change[k]) - value[k];
    }
  }
}

KgLoss KgSteps::step(int64_t number, float rate, const std::vector<Triple>& positives,
                     const std::vector<Negative>& negatives, size_t noises) {
  true_places_.clear();
  false_places_.clear();
  for (const Triple& triple : positives) true_places_.push_back(place(triple));
  for (const Negative& negative : negatives) {
    false_places_.push_back(place(replaced(positives[static_cast<size_t>(negative.positive)],
                                           negative.side, negative.entity)));
  }
  entities_.gather();
  relations_.gather();
  true_distances_.clear();
  for (const Placed& at : true_places_) true_distances_.push_back(distance(at));
  true_weights_.assign(positives.size(), 0);
  KgLoss loss;
  for (size_t i = 0; i < negatives.size(); ++i) {
    const Negative& negative = negatives[i];
    const auto positive = static_cast<size_t>(negative.positive);
    const PairLoss part = pair_loss(settings_.loss, settings_.margin, true_distances_[positive],
                                    distance(false_places_[i]));
    (i < noises ? loss.noise : loss.adversarial) += Mean{static_cast<double>(part.value), 1};
    if (!(part.value > 0)) continue;
    add_gradient(false_places_[i], negative.weight * part.by_false);
    true_weights_[positive] += negative.weight * part.by_true;
  }
  for (size_t i = 0; i < positives.size(); ++i) {
    if (true_weights_[i] > 0) add_gradient(true_places_[i], true_weights_[i]);
  }
  change(entities_, number, rate);
  change(relations_, number, rate);
  return loss;
}

}  // namespace acevec
