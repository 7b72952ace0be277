#include "tasks/kg/task.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/random.h"
#include "tasks/kg/candidates.h"
#include "train/early_end.h"

namespace acevec {
namespace {

// All triples, or `most` evenly spaced ones if there are more.
std::vector<Triple> sample_of(std::span<const Triple> triples, size_t most) {
  const size_t count = std::min(triples.size(), most);
  std::vector<Triple> sample;
  for (size_t i = 0; i < count; ++i) sample.push_back(triples[i * triples.size() / count]);
  return sample;
}

// Limits a step to an epoch, since buffers have room for a whole step.
KgSettings clipped(KgSettings settings, const Graph& graph) {
  settings.batch = std::min(settings.batch, 2 * std::ssize(graph.train.triples));
  return settings;
}

}  // namespace

TaskDescription describe_kg() {
  // RotatE's first large steps can raise the loss above its start for half an epoch. Five windows
  // are a whole one.
  return {.unit = "triples",
          .means = {"noise_loss", "adversarial_loss", "entropy"},
          .score = "MRR",
          .higher_is_better = true,
          .evaluation = {"mean_rank", "mrr", "hits1", "hits3", "hits10"},
          .least_epochs = 1.0 / DivergenceDetector::kWindows};
}

KgTask::KgTask(const Graph& graph, const KnownTriples& known, const KgSettings& settings,
               KgModel& model)
    : graph_(graph),
      known_(known),
      settings_(clipped(settings, graph)),
      model_(model),
      entity_moments_(Optimizer::moments_for(settings.optimizer, model.entities.rows(),
                                             model.entities.stride())),
      relation_moments_(Optimizer::moments_for(settings.optimizer, model.relations.rows(),
                                               model.relations.stride())),
      valid_(sample_of(graph.valid.triples, kMostEvaluated)) {
  const std::vector<Triple>& triples = graph.train.triples;
  if (is_softmax()) {
    questions_.emplace(model.shape.has_inverses() ? with_reverses(triples, graph.relations.size())
                                                  : triples);
    if (settings.in_batch) shares_ = questions_->first_answers(model.entities.rows());
    softmax_steps_.emplace(model, entity_moments_, relation_moments_, settings_, shares_);
    return;
  }
  train_.emplace(model.entities.rows(), std::initializer_list<std::span<const Triple>>{triples});
  pair_steps_.emplace(model, entity_moments_, relation_moments_, settings_);
  if (settings.adversary) adversary_.emplace(settings_, model, *train_);
}

void KgTask::begin_epoch(int64_t epoch) {
  Random random(settings_.seed, Stream::kKgShuffle, epoch);
  if (questions_) return questions_->shuffle(random);
  order_ = graph_.train.triples;
  shuffle(order_, random);
}

Sums KgTask::learn(const Piece& piece, int64_t first, int64_t last, Random& random, Clock& clock) {
  const auto rate = static_cast<float>(clock.rate());
  if (!questions_) {
    const std::span<const Triple> positives(order_.data() + first, order_.data() + last);
    Sums sums = learn_pairs(piece, positives, random, rate);
    clock.advance(last - first);
    return sums;
  }
  std::vector<Question> questions;
  for (int64_t i = first; i < last; ++i) questions.push_back(questions_->at(i));
  const Mean loss = softmax_steps_->step(piece.step + 1, rate, questions, random);
  clock.advance(static_cast<int64_t>(loss.count));
  return {loss, {loss, {}, {}}};
}

Sums KgTask::learn_pairs(const Piece& piece, std::span<const Triple> positives, Random& random,
                         float rate) {
  hard_.resize(positives.size());
  if (adversary_) adversary_->next(positives, random, hard_);
  Sums sums = pair_steps_->step(piece.step + 1, rate, positives, random,
                                [&](int64_t i, Random& own, std::span<Negative> places) {
                                  fill_negatives(positives[static_cast<size_t>(i)], own, places);
                                  if (adversary_) places.back() = hard_[static_cast<size_t>(i)];
                                });
  const PolicyReport report = adversary_ ? adversary_->take_report() : PolicyReport{};
  sums.means.push_back({report.entropy, report.conditions});
  return sums;
}

// Draws a triple's noise; true triples are left out.
void KgTask::fill_negatives(const Triple& positive, Random& random,
                            std::span<Negative> places) const {
  const double share = settings_.adversary ? settings_.adversary->noise_weight : 1;
  const auto weight = static_cast<float>(share / static_cast<double>(settings_.negatives));
  const auto entities = static_cast<uint32_t>(model_.entities.rows());
  for (Negative& negative : places.first(static_cast<size_t>(settings_.noises()))) {
    const Side side = random_side(random);
    const auto by = static_cast<int32_t>(random.below(entities));
    const bool is_true = train_->contains(replaced(positive, side, by));
    negative = is_true ? Negative{} : Negative{side, by, weight};
  }
}

std::vector<Parameter> KgTask::parameters() {
  std::vector<Parameter> parameters{{"entities", &model_.entities, Role::kResult},
                                    {"relations", &model_.relations, Role::kResult},
                                    {"entity moments", &entity_moments_, Role::kMemory},
                                    {"relation moments", &relation_moments_, Role::kMemory}};
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

std::optional<double> KgTask::start_loss() {
  // The loss of the adversary's negatives is higher than that of random ones, by no known formula.
  if (!is_softmax() && settings_.noises() == 0) return std::nullopt;
  // Initially all entities are nearly equidistant.
  if (is_softmax()) return std::log(static_cast<double>(model_.entities.rows()));
  constexpr int32_t kTriples = 1000;
  const KgModel start = initial_model(model_.shape, kTriples, kTriples, settings_.seed);
  double loss = 0;
  for (int32_t i = 0; i < kTriples; ++i) {
    const int32_t next = (i + 1) % kTriples;
    const float positive = start.distance({i, i, next}), negative = start.distance({next, i, i});
    loss += double{pair_loss(settings_.loss, settings_.margin, positive, negative).value};
  }
  return loss / kTriples;
}

std::optional<Evaluation> KgTask::evaluate() {
  if (valid_.empty()) return std::nullopt;
  const RankScore score = rank_links(model_, valid_, known_, settings_.threads).filtered;
  return Evaluation{score.mrr,
                    {score.mean_rank, score.mrr, score.hits1, score.hits3, score.hits10}};
}

// Evaluation by distances has the entities' vectors also by columns.
int64_t KgTask::later_bytes() const {
  if (is_softmax() || graph_.valid.triples.size() + graph_.test.triples.size() == 0) return 0;
  return model_.entities.rows() * model_.shape.size * kFloatSize;
}

}  // namespace acevec
