#include "tasks/kg/task.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/random.h"
#include "tasks/kg/evaluation.h"
#include "tasks/kg/model.h"
#include "tasks/kg/softmax_steps.h"
#include "tasks/kg/steps.h"

namespace acevec {
namespace {

// All triples or, of more than `most`, so many at equal distances.
std::vector<Triple> sample_of(std::span<const Triple> triples, size_t most) {
  const size_t count = std::min(triples.size(), most);
  std::vector<Triple> sample;
  for (size_t i = 0; i < count; ++i) sample.push_back(triples[i * triples.size() / count]);
  return sample;
}

// A step has no more than an epoch, since buffers have room for a whole step.
KgSettings clipped(KgSettings settings, const Graph& graph) {
  settings.batch = std::min(settings.batch, 2 * std::ssize(graph.train.triples));
  return settings;
}

}  // namespace

TaskDescription describe_kg() {
  return {.unit = "triples",
          .means = {"noise_loss", "adversarial_loss", "entropy"},
          .score = "MRR",
          .higher_is_better = true,
          .evaluation = {"mean_rank", "mrr", "hits1", "hits3", "hits10"}};
}

MemoryPlan kg_memory(const Graph& graph, const KgShape& shape, const KgSettings& wanted) {
  const KgSettings settings = clipped(wanted, graph);
  const std::unique_ptr<Score> score = make_score(shape.score, shape.size);
  const int64_t width = score->width(), batch = settings.batch;
  const int64_t entities = graph.entities.size();
  const int64_t rows = entities + shape.relation_rows(graph.relations.size());
  const int64_t triples = shape.relation_rows(1) * std::ssize(graph.train.triples);
  const int64_t valid = std::ssize(graph.valid.triples), test = std::ssize(graph.test.triples);
  const bool softmax = settings.loss == KgLossKind::kSoftmax;
  // Answers by kept entity and relation, for either side, and bits.
  const auto known = [&](int64_t count) { return 8 * entities + 36 * count; };

  int64_t occurrences = 0, floats = 0;  // of a step
  if (softmax) {
    const int64_t drawn = settings.negatives == 0 ? entities : settings.negatives;
    const int64_t columns = std::min(entities, drawn + (settings.in_batch ? batch : 0));
    const bool rounded = settings.precision == ProductPrecision::kBfloat16;
    occurrences = columns + batch * (Questions::kMostAnswers + 2);
    floats = (rounded ? 2 : 1) * batch * columns + 2 * batch * width +
             (drawn < entities ? columns * width : 0) + (rounded ? (batch + columns) * width : 0);
    if (settings.relation_weight > 0) floats += batch * (rows - entities + 3 * width);
  } else {
    const int64_t pairs = batch * (1 + settings.noises() + (settings.adversary ? 1 : 0));
    occurrences = kParts * pairs;
    floats = pairs * (score->slope_width() + 10);
  }
  floats += (std::min(rows, occurrences) + occurrences / 64) * width + 12 * occurrences + rows;

  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(entities, "entity").c_str(),
                    static_cast<long>(shape.size));
  plan.advice =
      settings.adversary ? "lower -size, -batch or -ace-candidates" : "lower -size or -batch";
  plan.parts = {{valid > 0 ? "vectors and the best of them" : "vectors",
                 (valid > 0 ? 2 : 1) * rows * width * kFloatSize},
                {"moments", rows * width * kFloatSize},
                {"triples", (softmax ? 80 : 24) * triples + (softmax ? 0 : known(triples))},
                {"known answers", known(std::ssize(graph.train.triples) + valid + test)},
                {"step", floats * kFloatSize}};
  if (valid + test > 0) {
    plan.parts.push_back({"evaluation", 48 * std::max(valid, test) + settings.threads * (1 << 17) +
                                            (softmax ? 0 : entities * shape.size * kFloatSize)});
  }
  if (settings.adversary) {
    const KgAdversarySettings& adversary = *settings.adversary;
    const int64_t candidates = adversary.most_candidates(entities);
    const int64_t cells = std::min<int64_t>(batch, 256) * candidates;
    // Two generators of 32 units and a bias, with two moments.
    const int64_t generators = adversary.learned() ? 2 * entities * 3 * 48 * kFloatSize : 0;
    plan.parts.push_back({"adversary", generators + candidates * shape.size * kFloatSize +
                                           (adversary.learned() ? 21 : 9) * cells});
  }
  return plan;
}

// Steps where the loss is a sum over negatives.
class KgTask::PairWorker : public Worker {
 public:
  explicit PairWorker(KgTask& task)
      : task_(task),
        steps_(task.model_, task.entity_moments_, task.relation_moments_, task.settings_) {
    if (!task.adversary_) return;
    adversary_.emplace(*task.adversary_);
    hard_.resize(static_cast<size_t>(task.settings_.batch));
  }

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    const int64_t first = piece.index * task_.settings_.batch;
    const int64_t count = std::min(task_.settings_.batch, task_.units() - first);
    const std::span<const Triple> positives(task_.order_.data() + first,
                                            static_cast<size_t>(count));
    if (adversary_) adversary_->next(positives, random, hard_);
    const KgLoss loss =
        steps_.step(piece.step + 1, static_cast<float>(clock.rate()), positives, random,
                    [&](int64_t i, Random& own, std::span<Negative> places) {
                      fill_negatives(positives[static_cast<size_t>(i)], own, places);
                      if (adversary_) places.back() = hard_[static_cast<size_t>(i)];
                    });
    clock.advance(count);
    const Mean entropy = adversary_ ? adversary_->take_report().entropy : Mean{};
    return {loss.noise.count > 0 ? loss.noise : loss.adversarial,
            {loss.noise, loss.adversarial, entropy}};
  }

 private:
  // The noise of a triple, without what is true.
  void fill_negatives(const Triple& positive, Random& random, std::span<Negative> places) {
    const KgSettings& settings = task_.settings_;
    const double share = settings.adversary ? settings.adversary->noise_weight : 1;
    const auto weight = static_cast<float>(share / static_cast<double>(settings.negatives));
    const auto entities = static_cast<uint32_t>(task_.model_.entities.rows());
    for (Negative& negative : places.first(static_cast<size_t>(settings.noises()))) {
      const Side side = task_.model_.replaced_side(random);
      const auto by = static_cast<int32_t>(random.below(entities));
      const bool is_true = task_.train_->contains(replaced(positive, side, by));
      negative = is_true ? Negative{} : Negative{side, by, weight};
    }
  }

  KgTask& task_;
  KgSteps steps_;
  std::optional<KgAdversary> adversary_;
  std::vector<Negative> hard_;  // the adversary's, one for each triple
};

// Steps where it is a softmax over entities.
class KgTask::SoftmaxWorker : public Worker {
 public:
  explicit SoftmaxWorker(KgTask& task)
      : task_(task),
        steps_(task.model_, task.entity_moments_, task.relation_moments_, task.settings_,
               task.shares_) {}

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    const int64_t first = piece.index * task_.settings_.batch;
    const int64_t last = std::min(first + task_.settings_.batch, task_.questions_->count());
    questions_.clear();
    for (int64_t i = first; i < last; ++i) questions_.push_back(task_.questions_->at(i));
    const Mean loss =
        steps_.step(piece.step + 1, static_cast<float>(clock.rate()), questions_, random);
    clock.advance(static_cast<int64_t>(loss.count));
    return {loss, {loss, {}, {}}};
  }

 private:
  KgTask& task_;
  SoftmaxSteps steps_;
  std::vector<Question> questions_;
};

KgTask::KgTask(const Graph& graph, const KnownTriples& known, const KgSettings& settings,
               KgModel& model)
    : graph_(graph),
      known_(known),
      settings_(clipped(settings, graph)),
      model_(model),
      triples_(model.shape.reciprocal ? with_reverses(graph.train.triples, graph.relations.size())
                                      : graph.train.triples),
      train_(is_softmax() ? std::nullopt
                          : std::optional(KnownTriples(model.entities.rows(), {triples_}))),
      entity_moments_(Optimizer::moments_for(settings.optimizer, model.entities.rows(),
                                             model.entities.stride())),
      relation_moments_(Optimizer::moments_for(settings.optimizer, model.relations.rows(),
                                               model.relations.stride())),
      valid_(sample_of(graph.valid.triples, kMostEvaluated)) {
  if (is_softmax()) questions_.emplace(triples_, !model.shape.reciprocal);
  if (is_softmax() && settings.in_batch) shares_ = questions_->first_answers(model.entities.rows());
  if (settings.adversary) adversary_.emplace(settings_, model, *train_);
}

int64_t KgTask::pieces() const {
  const int64_t all = is_softmax() ? questions_->count() : units();
  return (all + settings_.batch - 1) / settings_.batch;
}

int64_t KgTask::units() const {
  return is_softmax() ? questions_->answers() : static_cast<int64_t>(triples_.size());
}

void KgTask::begin_epoch(int64_t epoch) {
  Random random(settings_.seed, Stream::kKgShuffle, epoch);
  if (is_softmax()) return questions_->shuffle(random);
  order_ = triples_;
  shuffle(order_, random);
}

std::unique_ptr<Worker> KgTask::make_worker(int /*thread*/, int64_t /*epoch*/) {
  if (is_softmax()) return std::make_unique<SoftmaxWorker>(*this);
  return std::make_unique<PairWorker>(*this);
}

std::vector<Parameter> KgTask::parameters() {
  std::vector<Parameter> parameters{{"entities", &model_.entities, Role::kResult},
                                    {"relations", &model_.relations, Role::kResult},
                                    {"entity moments", &entity_moments_, Role::kMemory},
                                    {"relation moments", &relation_moments_, Role::kMemory}};
  if (adversary_ && adversary_->heads) {
    adversary_->heads->list("heads", parameters);
    adversary_->tails->list("tails", parameters);
  }
  return parameters;
}

std::optional<double> KgTask::start_loss() {
  // The adversary's negatives cost more than random ones, by no formula.
  if (!is_softmax() && settings_.noises() == 0) return std::nullopt;
  // Products are nearly 0 at the start.
  if (is_softmax()) return std::log(static_cast<double>(model_.entities.rows()));
  constexpr int32_t kTriples = 1000;
  const KgModel start = initial_model(model_.shape, kTriples, kTriples, settings_.seed);
  double loss = 0;
  for (int32_t i = 0; i < kTriples; ++i) {
    const int32_t next = (i + 1) % kTriples;
    const float truth = start.distance({i, i, next}), falsehood = start.distance({next, i, i});
    loss += double{pair_loss(settings_.loss, settings_.margin, truth, falsehood).value};
  }
  return loss / kTriples;
}

std::optional<Evaluation> KgTask::evaluate() {
  if (valid_.empty()) return std::nullopt;
  const RankScore score = rank_links(model_, valid_, known_, settings_.threads).filtered;
  return Evaluation{score.mrr,
                    {score.mean_rank, score.mrr, score.hits1, score.hits3, score.hits10}};
}

void KgTask::write_snapshot(const std::string& path) const {
  CheckpointWriter file(path);
  write_kg(graph_, model_, file);
  file.commit();
}

}  // namespace acevec
