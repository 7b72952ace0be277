// Small graphs that can be learned.

#include "tasks/kg/task.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include "tasks/kg/candidates.h"
#include "train/train_task.h"

namespace acevec::task_test {
namespace {

constexpr int64_t kSize = 12;

// A wheel: relation r leads r + 1 places on, from each of 30 entities.
std::vector<Triple> wheel() {
  std::vector<Triple> triples;
  for (int32_t relation = 0; relation < 3; ++relation) {
    for (int32_t head = 0; head < 30; ++head) {
      triples.push_back({head, relation, (head + relation + 1) % 30});
    }
  }
  return triples;
}

// A run's length and rate beside the task's own settings.
struct KgRun : KgSettings {
  int64_t epochs = 150;

  TaskRunner::Plan plan() const { return {threads, seed, epochs, {0.02, 0}}; }
};

KgRun settings_for_wheel() {
  KgRun settings;
  settings.batch = 30;
  settings.margin = 1;
  settings.max_norm = 1;
  settings.optimizer.rate = 0.02F;
  return settings;
}

Graph graph_of(const std::vector<Triple>& triples, int32_t entities, int32_t relations) {
  Graph graph;
  for (int32_t i = 0; i < entities; ++i) graph.entities.add("e" + std::to_string(i));
  for (int32_t i = 0; i < relations; ++i) graph.relations.add("r" + std::to_string(i));
  graph.train.triples = triples;
  return graph;
}

RankScore learn(const KgRun& settings, ScoreKind kind, KgModel& model) {
  const Graph graph = graph_of(wheel(), 30, 3);
  const KnownTriples known(30, {graph.train.triples});
  model = initial_model({kind, 20}, 30, 3, settings.seed);
  KgTask task(graph, known, settings, model);
  train_task(task, settings.plan());
  return rank_links(model, graph.train.triples, known, 1).filtered;
}

}  // namespace

TEST_CASE("vectors do not grow beyond the limit") {
  KgRun settings = settings_for_wheel();
  settings.max_norm = 0.5F;
  settings.epochs = 3;
  KgModel model({ScoreKind::kTransD, 20}, 30, 3);
  learn(settings, ScoreKind::kTransD, model);
  for (const Matrix* matrix : {&model.entities, &model.relations}) {
    for (int64_t i = 0; i < matrix->rows(); ++i) {
      double squares = 0;
      for (int64_t k = 0; k < 20; ++k) squares += double{matrix->row(i)[k]} * matrix->row(i)[k];
      CHECK(squares < 0.2501);
    }
  }
}

TEST_CASE("a wheel is learned with noise, and better with an adversary") {
  // By chance the mean reciprocal rank is 0.13.
  KgModel model({ScoreKind::kTransD, 20}, 30, 3);
  KgRun settings = settings_for_wheel();
  const double noise = learn(settings, ScoreKind::kTransD, model).mrr;
  CHECK(noise > 0.45);
  CHECK(learn(settings, ScoreKind::kTransE, model).mrr > 0.45);
  settings.adversary.emplace();
  settings.adversary->sampler = Sampler::kCritic;
  settings.adversary->candidates = 0;  // the few that there are
  settings.adversary->noise_weight = 0.5;
  CHECK(learn(settings, ScoreKind::kTransD, model).mrr > noise + 0.05);
  settings.adversary->sampler = Sampler::kLearned;
  CHECK(learn(settings, ScoreKind::kTransD, model).mrr > noise + 0.05);
}

TEST_CASE("rotations learn a wheel, and with ACE") {
  KgModel model({ScoreKind::kRotatE, 20}, 30, 3);
  KgRun settings = settings_for_wheel();
  settings.loss = KgLossKind::kNs;
  settings.margin = 2;
  settings.max_norm = 0;
  CHECK(learn(settings, ScoreKind::kRotatE, model).mrr > 0.5);
  settings.adversary.emplace();
  CHECK(learn(settings, ScoreKind::kRotatE, model).mrr > 0.6);
}

TEST_CASE("a wheel is learned by the softmax over all entities") {
  for (const ScoreKind kind : kScoreKinds) {
    if (traits_of(kind).learns_pairs) continue;
    for (const int64_t candidates : {0, 20}) {
      CAPTURE(std::string(traits_of(kind).name));
      CAPTURE(candidates);
      KgRun settings;
      settings.loss = KgLossKind::kSoftmax;
      settings.batch = 10;
      settings.negatives = candidates;
      settings.optimizer.kind = OptimizerKind::kAdagrad;
      settings.epochs = 60;
      KgModel model({kind, 20}, 30, 3);
      // By chance 0.13. No translations lead round a wheel.
      const double least = traits_of(kind).is_complex            ? 0.6
                           : kind == ScoreKind::kEuclideanTransE ? 0.2
                                                                 : 0.35;
      CHECK(learn(settings, kind, model).mrr > least);
    }
  }
}

TEST_CASE("a wheel is learned by the softmax over drawn entities, better with a step's answers") {
  KgModel model({ScoreKind::kComplEx, 20}, 30, 3);
  KgRun settings;
  settings.loss = KgLossKind::kSoftmax;
  settings.in_batch = true;
  settings.batch = 30;
  settings.negatives = 1;
  settings.epochs = 2;
  const double with = learn(settings, ScoreKind::kComplEx, model).mrr;
  settings.in_batch = false;
  CHECK(with > learn(settings, ScoreKind::kComplEx, model).mrr + 0.02);
}

TEST_CASE("any number of threads trains the same model") {
  struct Way {
    ScoreKind score;
    KgLossKind loss;
    int64_t negatives;
    bool ace;
    Sampler sampler;
  };
  std::vector<Way> ways;
  for (const ScoreKind score : kScoreKinds) {
    if (traits_of(score).learns_pairs) {
      ways.push_back({score, KgLossKind::kMargin, 2, false, {}});
      ways.push_back({score, KgLossKind::kNs, 1, true, Sampler::kCritic});
      ways.push_back({score, KgLossKind::kNs, 1, true, Sampler::kLearned});
      continue;
    }
    ways.push_back({score, KgLossKind::kSoftmax, 0, false, {}});
    ways.push_back({score, KgLossKind::kSoftmax, 150, true, {}});
  }
  // So large that each phase of a step has several blocks.
  constexpr int32_t kEntities = 700;
  std::vector<Triple> train;
  Random random(1);
  for (int i = 0; i < 1200; ++i) {
    train.push_back({static_cast<int32_t>(random.below(kEntities)),
                     static_cast<int32_t>(random.below(2)),
                     static_cast<int32_t>(random.below(kEntities))});
  }
  const Graph graph = graph_of(train, kEntities, 2);
  const KnownTriples known(kEntities, {train});
  for (const Way& way : ways) {
    CAPTURE(std::string(traits_of(way.score).name));
    CAPTURE(static_cast<int>(way.loss));
    CAPTURE(way.ace);
    KgRun settings;
    settings.loss = way.loss;
    settings.margin = 2;
    settings.negatives = way.negatives;
    settings.batch = 600;
    settings.epochs = 2;
    const bool softmax = way.loss == KgLossKind::kSoftmax;
    if (softmax) settings.optimizer.kind = OptimizerKind::kAdagrad;
    if (softmax) settings.n3 = 0.1F;
    const bool product = way.score == ScoreKind::kDistMult || way.score == ScoreKind::kComplEx;
    if (product) settings.relation_weight = 0.1F;
    settings.in_batch = softmax && way.ace;
    if (way.ace && !softmax) {
      settings.adversary.emplace().sampler = way.sampler;
      settings.adversary->noise_weight = 0.5;
    }
    std::optional<KgModel> first;
    for (const int threads : {1, 2, 3, 5, 16}) {
      settings.threads = threads;
      KgModel model = initial_model({way.score, 20}, kEntities, 2, 1);
      KgTask task(graph, known, settings, model);
      train_task(task, settings.plan());
      REQUIRE(model.entities.finite());
      if (!first) {
        first = std::move(model);
        continue;
      }
      for (Matrix KgModel::*matrix : {&KgModel::entities, &KgModel::relations}) {
        const Matrix &one = (*first).*matrix, &other = model.*matrix;
        CHECK(std::memcmp(one.row(0), other.row(0), static_cast<size_t>(one.bytes())) == 0);
      }
    }
  }
}

TEST_CASE("what an untrained model loses is known before training") {
  constexpr int32_t kEntities = 300;
  std::vector<Triple> train;
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    train.push_back({static_cast<int32_t>(random.below(kEntities)),
                     static_cast<int32_t>(random.below(20)),
                     static_cast<int32_t>(random.below(kEntities))});
  }
  const Graph graph = graph_of(train, kEntities, 20);
  const KnownTriples known(kEntities, {train});
  for (const ScoreKind score : kScoreKinds) {
    for (const KgLossKind loss : {KgLossKind::kMargin, KgLossKind::kNs, KgLossKind::kSoftmax}) {
      if (traits_of(score).learns_pairs == (loss == KgLossKind::kSoftmax)) continue;
      CAPTURE(std::string(traits_of(score).name));
      CAPTURE(static_cast<int>(loss));
      KgRun settings;
      settings.loss = loss;
      settings.margin = 3;
      settings.negatives = loss == KgLossKind::kSoftmax ? 100 : 1;
      KgModel model = initial_model({score, 20}, kEntities, 20, 1);
      KgTask task(graph, known, settings, model);
      const std::optional<double> start = task.start_loss();
      REQUIRE(start);
      const Sums sums = train_task(task, {1, 1, 1, {1e-9, 0}});
      CHECK(*start == doctest::Approx(sums.loss.value()).epsilon(0.04));
    }
  }
}

TEST_CASE("DistMult learns relations that read the same both ways") {
  std::vector<Triple> train;
  for (int32_t i = 0; i < 30; i += 2) {
    train.push_back({i, 0, i + 1});
    train.push_back({i + 1, 0, i});
  }
  KgRun settings = settings_for_wheel();
  settings.loss = KgLossKind::kSoftmax;
  settings.negatives = 0;
  settings.optimizer.kind = OptimizerKind::kAdagrad;
  KgModel model = initial_model({ScoreKind::kDistMult, 20}, 30, 1, 1);
  const Graph graph = graph_of(train, 30, 1);
  const KnownTriples known(30, {train});
  KgTask task(graph, known, settings, model);
  train_task(task, settings.plan());
  CHECK(rank_links(model, train, known, 1).filtered.mrr > 0.9);
}

TEST_CASE("the same seed trains the same model, another one another") {
  KgRun settings = settings_for_wheel();
  settings.epochs = 5;
  settings.adversary.emplace().sampler = Sampler::kLearned;
  KgModel a({ScoreKind::kTransD, 20}, 30, 3), b({ScoreKind::kTransD, 20}, 30, 3);
  learn(settings, ScoreKind::kTransD, a);
  learn(settings, ScoreKind::kTransD, b);
  const int64_t floats = a.entities.rows() * a.entities.stride();
  CHECK(std::equal(a.entities.row(0), a.entities.row(0) + floats, b.entities.row(0)));
  settings.seed = 2;
  learn(settings, ScoreKind::kTransD, b);
  CHECK_FALSE(std::equal(a.entities.row(0), a.entities.row(0) + floats, b.entities.row(0)));
}

TEST_CASE("a step has no more than there is") {
  const Graph graph = graph_of(wheel(), 30, 3);
  for (const auto& [loss, score] : {std::pair(KgLossKind::kMargin, ScoreKind::kTransE),
                                    std::pair(KgLossKind::kSoftmax, ScoreKind::kComplEx)}) {
    KgRun settings;
    settings.loss = loss;
    settings.batch = 1000000000;
    const KnownTriples known(30, {graph.train.triples});
    KgModel model = initial_model({score, 20}, 30, 3, 1);
    KgTask task(graph, known, settings, model);
    train_task(task, {1, 1, 1, {0.02, 0}});  // takes all memory if it does not clip
    CHECK(task.pieces() == 1);
  }
}

TEST_CASE("every triple is learned from once an epoch, in another order each time") {
  KgRun settings = settings_for_wheel();
  settings.epochs = 3;
  settings.threads = 2;
  const Graph graph = graph_of(wheel(), 30, 3);
  const KnownTriples known(30, {graph.train.triples});
  KgModel model = initial_model({ScoreKind::kTransE, 20}, 30, 3, 1);
  KgTask task(graph, known, settings, model);
  TaskRunner runner(task, settings.plan());
  double losses = 0;
  runner.run(
      [&](const RunState& state, const Sums& piece) {
        losses += piece.loss.count;
        CHECK(state.total == 270);
        return TaskRunner::Request{};
      },
      [] {});
  CHECK(runner.state().done == 270);
  // Those that are not masked: 29 of 30, and the bounds are 5 standard deviations away.
  CHECK(losses > 246);
  CHECK(losses < 270);
}

}  // namespace acevec::task_test
