#include "tasks/kg/task.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/random.h"
#include "tasks/kg/evaluation.h"
#include "tasks/kg/model_file.h"
#include "tasks/kg/softmax_steps.h"
#include "tasks/kg/steps.h"

namespace acevec {
namespace {

SoftmaxSettings softmax_settings(const KgSettings& settings, std::span<const float> shares) {
  return {settings.negatives, settings.cubes, settings.relations, shares,
          settings.optimizer, settings.batch, settings.precision, settings.threads};
}

// All triples or, of more than `most`, so many at equal distances.
std::vector<Triple> sample_of(std::span<const Triple> triples, size_t most) {
  const size_t count = std::min(triples.size(), most);
  std::vector<Triple> sample;
  for (size_t i = 0; i < count; ++i) sample.push_back(triples[i * triples.size() / count]);
  return sample;
}

// What steps need, in bytes.
int64_t step_bytes(const Score& score, int64_t entities, int64_t relations,
                   const KgSettings& settings) {
  if (settings.loss == KgLossKind::kSoftmax) {
    constexpr float kAnyShare = 0;  // whether there are shares is all that counts here
    const std::span<const float> shares(&kAnyShare, settings.in_batch ? 1 : 0);
    return SoftmaxSteps::bytes(score, entities, relations, softmax_settings(settings, shares));
  }
  return KgSteps::bytes(score, entities, relations, settings);
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
  const std::unique_ptr<Score> own = make_score(shape.score, shape.size);
  const Score& score = *own;
  const int64_t entities = graph.entities.size();
  const int64_t times = shape.relation_rows(1);
  const int64_t relations = times * graph.relations.size();
  const int64_t triples = times * static_cast<int64_t>(graph.train.triples.size());
  const auto held_out =
      static_cast<int64_t>(graph.valid.triples.size() + graph.test.triples.size());
  // They themselves, and as questions, lists of which grow; or shuffled, and as what is known.
  constexpr auto kTriple = static_cast<int64_t>(sizeof(Triple));
  const int64_t orders = settings.loss == KgLossKind::kSoftmax
                             ? 16 * triples * kTriple
                             : 2 * triples * kTriple + KnownTriples::bytes(entities, triples);
  const int64_t width = score.width();
  const bool validated = !graph.valid.triples.empty();
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(entities, "entity").c_str(),
                    static_cast<long>(score.size()));
  plan.advice =
      settings.adversary ? "lower -size, -batch or -ace-candidates" : "lower -size or -batch";
  plan.parts = {
      {validated ? "vectors and the best of them" : "vectors",
       (validated ? 2 : 1) * (entities + relations) * width * kFloatSize},
      {"moments", Optimizer::moment_bytes(settings.optimizer, entities + relations, width)},
      {"triples", orders},
      {"known answers", KnownTriples::bytes(entities, triples + held_out) +
                            KnownTriples::building_bytes(entities, triples + held_out)},
      {"step", step_bytes(score, entities, relations, settings)}};
  const auto ranked =
      static_cast<int64_t>(std::max(graph.valid.triples.size(), graph.test.triples.size()));
  if (ranked > 0) {
    plan.parts.push_back({"evaluation", ranking_bytes(score, entities, ranked, settings.threads)});
  }
  if (settings.in_batch) plan.parts.push_back({"first answers", entities * kFloatSize});
  if (settings.adversary) {
    plan.parts.push_back(
        {"adversary", KgAdversaryState::bytes(entities, score.size(), *settings.adversary) +
                          KgAdversary::bytes(entities, score, settings)});
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
    const uint64_t seed = random();
    steps_.begin(positives);
    in_blocks(task_.settings_.threads, count, KgSteps::kTogether, [&](int64_t begin, int64_t end) {
      Random own(seed, Stream::kStepBlock, begin / KgSteps::kTogether);
      for (int64_t i = begin; i < end; ++i) fill_negatives(positives, i, own);
      steps_.look(begin, end);
    });
    const KgLoss loss = steps_.finish(piece.step + 1, static_cast<float>(clock.rate()));
    clock.advance(count);
    const Mean entropy = adversary_ ? adversary_->take_report().entropy : Mean{};
    return {loss.noise.count > 0 ? loss.noise : loss.adversarial,
            {loss.noise, loss.adversarial, entropy}};
  }

 private:
  // The noise of triple i, without what is true, and what the adversary chose.
  void fill_negatives(std::span<const Triple> positives, int64_t i, Random& random) {
    const KgSettings& settings = task_.settings_;
    const double share = settings.adversary ? settings.adversary->noise_weight : 1;
    const auto weight = static_cast<float>(share / static_cast<double>(settings.negatives));
    const auto entities = static_cast<uint32_t>(task_.model_.entities.rows());
    const Triple& positive = positives[static_cast<size_t>(i)];
    const std::span<Negative> negatives = steps_.negatives(i);
    for (Negative& negative : negatives.first(static_cast<size_t>(settings.noises()))) {
      const Side side = task_.model_.replaced_side(random);
      const auto by = static_cast<int32_t>(random.below(entities));
      const bool is_true = task_.train_->contains(replaced(positive, side, by));
      negative = is_true ? Negative{} : Negative{side, by, weight};
    }
    if (adversary_) negatives.back() = hard_[static_cast<size_t>(i)];
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
        steps_(task.model_, task.entity_moments_, task.relation_moments_,
               softmax_settings(task.settings_, task.shares_)) {}

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
      train_(asks() ? std::nullopt
                    : std::optional(KnownTriples(model.entities.rows(), {triples_}))),
      entity_moments_(Optimizer::moments_for(settings.optimizer, model.entities.rows(),
                                             model.entities.stride())),
      relation_moments_(Optimizer::moments_for(settings.optimizer, model.relations.rows(),
                                               model.relations.stride())),
      valid_(sample_of(graph.valid.triples, kMostEvaluated)) {
  if (asks()) questions_.emplace(triples_, !model.shape.reciprocal);
  if (asks() && settings.in_batch) shares_ = questions_->first_answers(model.entities.rows());
  if (settings.adversary) adversary_.emplace(settings_, model, *train_);
}

int64_t KgTask::pieces() const {
  const int64_t all = asks() ? questions_->count() : units();
  return (all + settings_.batch - 1) / settings_.batch;
}

int64_t KgTask::units() const {
  return asks() ? questions_->answers() : static_cast<int64_t>(triples_.size());
}

void KgTask::begin_epoch(int64_t epoch) {
  Random random(settings_.seed, Stream::kKgShuffle, epoch);
  if (asks()) return questions_->shuffle(random);
  order_ = triples_;
  shuffle(order_, random);
}

std::unique_ptr<Worker> KgTask::make_worker(int /*thread*/, int64_t /*epoch*/) {
  if (asks()) return std::make_unique<SoftmaxWorker>(*this);
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
  if (!asks() && settings_.noises() == 0) return std::nullopt;
  // Of false triples and of those that are taken for true.
  constexpr int32_t kTriples = 1000;
  const KgModel start = initial_model(model_.shape, kTriples, kTriples, settings_.seed);
  double pairs = 0, distances = 0, shares = 0;
  for (int32_t i = 0; i < kTriples; ++i) {
    const int32_t next = (i + 1) % kTriples;
    const float truth = start.distance({i, i, next}), falsehood = start.distance({next, i, i});
    if (!asks()) {
      pairs += double{pair_loss(settings_.loss, settings_.margin, truth, falsehood).value};
    }
    distances += double{truth};
    shares += std::exp(double{-truth});
  }
  if (!asks()) return pairs / kTriples;
  // s + log Σ exp(−s): the logarithm of the entities for products, which are nearly 0, and a little
  // more for distances, which differ.
  return std::log(static_cast<double>(model_.entities.rows())) + distances / kTriples +
         std::log(shares / kTriples);
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
