#include "kg/trainer.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/random.h"

namespace acevec {
namespace {

// State that the threads of one run share.
class Run {
 public:
  Run(std::span<const Triple> train, const KgSettings& settings, KgModel& model,
      const std::function<bool(const KgState&)>& report)
      : settings_(settings),
        model_(model),
        report_(report),
        known_(model.entities.rows(), {train}),
        corruption_(settings.corruption, train, model.relations.rows()),
        entity_moments_(Optimizer::moments_for(settings.optimizer, model.entities.rows(),
                                               model.entities.stride())),
        relation_moments_(Optimizer::moments_for(settings.optimizer, model.relations.rows(),
                                                 model.relations.stride())),
        order_(train.begin(), train.end()) {
    if (!settings.adversary) return;
    adversary_.emplace(*settings.adversary, model, known_, corruption_, settings.margin,
                       settings.seed);
  }

  void run() {
    const auto triples = static_cast<int64_t>(order_.size());
    batches_ = (triples + settings_.batch - 1) / settings_.batch;
    std::vector<Worker> workers;
    workers.reserve(static_cast<size_t>(settings_.threads));
    for (int i = 0; i < settings_.threads; ++i) workers.emplace_back(*this);
    for (int64_t epoch = 0; epoch < settings_.epochs; ++epoch) {
      Random random(settings_.seed, Stream::kKgShuffle, epoch);
      shuffle(order_, random);
      for_each_piece(settings_.threads, batches_, [&](int thread, int64_t batch) {
        workers[static_cast<size_t>(thread)].train(epoch, batch);
      });
      const int64_t done = epoch + 1;
      if (done % settings_.report_every != 0 && done < settings_.epochs) continue;
      KgState state{done, done * triples, settings_.epochs * triples, {}, {}};
      for (Worker& worker : workers) worker.hand_over(state);
      if (!report_(state)) return;
    }
  }

 private:
  // What one thread keeps from batch to batch.
  class Worker {
   public:
    explicit Worker(Run& run)
        : run_(run),
          steps_(run.model_, run.entity_moments_, run.relation_moments_, run.settings_,
                 run.settings_.batch, run.settings_.batch * negatives_of(run.settings_)) {
      if (run.adversary_) adversary_.emplace(*run.adversary_);
    }

    // One batch of the epoch.
    void train(int64_t epoch, int64_t batch) {
      const KgSettings& settings = run_.settings_;
      const int64_t number = epoch * run_.batches_ + batch + 1;
      Random random(settings.seed, Stream::kKgBatch, number);
      const int64_t first = batch * settings.batch;
      const int64_t last =
          std::min(first + settings.batch, static_cast<int64_t>(run_.order_.size()));
      positives_.assign(run_.order_.begin() + first, run_.order_.begin() + last);
      negatives_.clear();
      draw_noise(random);
      const size_t noises = negatives_.size();
      if (adversary_) adversary_->next(number, positives_, random, negatives_);
      const float done =
          static_cast<float>(number - 1) / static_cast<float>(settings.epochs * run_.batches_);
      const float rate = settings.optimizer.rate * (1 - done * (1 - settings.final_rate));
      loss_ += steps_.step(number, rate, positives_, negatives_, noises);
    }

    // Adds what was counted since the last time.
    void hand_over(KgState& state) {
      state.loss += loss_;
      loss_ = {};
      if (adversary_) state.adversary += adversary_->take_report();
    }

   private:
    static int64_t negatives_of(const KgSettings& settings) {
      return settings.negatives + (settings.adversary ? settings.adversary->negatives : 0);
    }

    void draw_noise(Random& random) {
      const KgSettings& settings = run_.settings_;
      const double share = settings.adversary ? settings.adversary->noise_weight : 1;
      if (share == 0) return;
      const float weight = static_cast<float>(share / static_cast<double>(settings.negatives));
      const auto entities = static_cast<uint32_t>(run_.model_.entities.rows());
      for (size_t i = 0; i < positives_.size(); ++i) {
        for (int64_t j = 0; j < settings.negatives; ++j) {
          const Side side = run_.corruption_.draw(positives_[i].relation, random);
          const auto by = static_cast<int32_t>(random.below(entities));
          if (settings.mask_noise &&
              run_.known_.at(side).contains(replaced(positives_[i], side, by))) {
            continue;
          }
          negatives_.push_back({static_cast<int32_t>(i), side, by, weight});
        }
      }
    }

    Run& run_;
    KgSteps steps_;
    std::optional<KgAdversary> adversary_;
    std::vector<Triple> positives_;
    std::vector<Negative> negatives_;
    KgLoss loss_;
  };

  const KgSettings& settings_;
  KgModel& model_;
  const std::function<bool(const KgState&)>& report_;
  AllAnswers known_;
  Corruption corruption_;
  Matrix entity_moments_, relation_moments_;
  std::vector<Triple> order_;  // the triples, shuffled
  std::optional<KgAdversaryState> adversary_;
  int64_t batches_ = 0;  // in an epoch
};

}  // namespace

KgLoss& KgLoss::operator+=(const KgLoss& more) {
  noise += more.noise;
  adversarial += more.adversarial;
  noises += more.noises;
  adversarials += more.adversarials;
  return *this;
}

KgSteps::KgSteps(KgModel& model, Matrix& entity_moments, Matrix& relation_moments,
                 const KgSettings& settings, int64_t most, int64_t most_negatives)
    : model_(model),
      settings_(settings),
      entities_(model.entities, entity_moments, settings.optimizer, 2 * most + most_negatives),
      relations_(model.relations, relation_moments, settings.optimizer, most) {}

KgSteps::Placed KgSteps::place(const Triple& triple) {
  return {entities_.place(triple.head), relations_.place(triple.relation),
          entities_.place(triple.tail)};
}

float KgSteps::distance(const Placed& at) const {
  return model_.score->distance(entities_.values() + at.head, relations_.values() + at.relation,
                                entities_.values() + at.tail);
}

void KgSteps::add_gradient(const Placed& at, float scale) {
  model_.score->add_gradient(entities_.values() + at.head, relations_.values() + at.relation,
                             entities_.values() + at.tail, scale, entities_.changes() + at.head,
                             relations_.changes() + at.relation, entities_.changes() + at.tail);
}

// Takes the step, after which the vector that a row begins with is no longer than the longest.
void KgSteps::change(BatchRows& rows, int64_t number, float rate) const {
  const float longest = settings_.longest;
  const int64_t size = model_.score->size();
  rows.optimize(number, rate);
  for (int64_t i = 0; longest > 0 && i < rows.count(); ++i) {
    const float* const value = rows.values() + i * rows.width();
    float* const change = rows.changes() + i * rows.width();
    float squares = 0;
    for (int64_t k = 0; k < size; ++k) squares += (value[k] + change[k]) * (value[k] + change[k]);
    if (squares <= longest * longest) continue;
    const float scale = longest / std::sqrt(squares);
    for (int64_t k = 0; k < size; ++k) change[k] = scale * (value[k] + change[k]) - value[k];
  }
  rows.add();
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
    const float part =
        std::max(0.0F, settings_.margin + true_distances_[positive] - distance(false_places_[i]));
    (i < noises ? loss.noise : loss.adversarial) += static_cast<double>(part);
    if (!(part > 0)) continue;
    add_gradient(false_places_[i], -negative.weight);
    true_weights_[positive] += negative.weight;
  }
  loss.noises = static_cast<double>(noises);
  loss.adversarials = static_cast<double>(negatives.size() - noises);
  for (size_t i = 0; i < positives.size(); ++i) {
    if (true_weights_[i] > 0) add_gradient(true_places_[i], true_weights_[i]);
  }
  change(entities_, number, rate);
  change(relations_, number, rate);
  return loss;
}

void train_kg(std::span<const Triple> train, const KgSettings& settings, KgModel& model,
              const std::function<bool(const KgState&)>& report) {
  Run(train, settings, model, report).run();
}

}  // namespace acevec
