// Steps against finite differences of the loss, and small graphs that can be learned.

#include "kg/trainer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "kg/evaluation.h"

namespace acevec {
namespace {

constexpr int64_t kSize = 12;

float distance(const KgModel& model, const Triple& triple) {
  return model.score->distance(model.entities.row(triple.head),
                               model.relations.row(triple.relation),
                               model.entities.row(triple.tail));
}

// Eq. 12, summed.
double loss_of(const KgModel& model, float margin, const std::vector<Triple>& positives,
               const std::vector<Negative>& negatives) {
  double sum = 0;
  for (const Negative& negative : negatives) {
    const Triple& positive = positives[static_cast<size_t>(negative.positive)];
    const Triple other_one = replaced(positive, negative.side, negative.entity);
    const double part =
        double{margin} + double{distance(model, positive)} - double{distance(model, other_one)};
    sum += double{negative.weight} * std::max(0.0, part);
  }
  return sum;
}

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

KgSettings settings_for_wheel() {
  KgSettings settings;
  settings.batch = 30;
  settings.optimizer.rate = 0.02F;
  settings.epochs = 150;
  settings.report_every = 150;
  return settings;
}

RankScore learn(const KgSettings& settings, ScoreKind kind, KgModel& model) {
  const std::vector<Triple> train = wheel();
  model = initial_model(kind, Norm::kL1, 20, 30, 3, settings.seed);
  train_kg(train, settings, model, [](const KgState&) { return true; });
  return rank_links(model, train, AllAnswers(30, {train}), 1).filtered;
}

}  // namespace

TEST_CASE("a plain step goes down the loss by its gradient") {
  for (const ScoreKind kind : {ScoreKind::kTransD, ScoreKind::kTransE, ScoreKind::kDistMult}) {
    KgModel model = initial_model(kind, Norm::kL2, kSize, 10, 2, 1);
    const KgModel before = initial_model(kind, Norm::kL2, kSize, 10, 2, 1);
    KgSettings settings;
    settings.margin = 0.4F;  // some of the losses are 0
    settings.longest = 0;
    settings.optimizer = {OptimizerKind::kSgd, 1};
    const std::vector<Triple> positives{{0, 0, 1}, {2, 1, 1}, {0, 1, 3}};
    const std::vector<Negative> negatives{{0, Side::kTail, 4, 0.5F}, {0, Side::kHead, 1, 0.25F},
                                          {1, Side::kHead, 0, 1},    {2, Side::kTail, 5, 1},
                                          {2, Side::kTail, 5, 1},    {1, Side::kTail, 2, 0.3F}};
    Matrix none = Optimizer::moments_for(settings.optimizer, 10, model.entities.stride());
    KgSteps steps(model, none, none, settings, 3, 6);
    const double wanted_loss = loss_of(before, 0.4F, positives, negatives);
    REQUIRE(wanted_loss > 0);
    const KgLoss loss = steps.step(1, 1, positives, negatives, 2);
    CHECK(loss.noises == 2);
    CHECK(loss.adversarials == 4);
    const double unweighted =
        loss_of(before, 0.4F, positives, {{0, Side::kTail, 4, 1}, {0, Side::kHead, 1, 1}});
    CHECK(loss.noise == doctest::Approx(unweighted).epsilon(1e-4));

    KgModel at = initial_model(kind, Norm::kL2, kSize, 10, 2, 1);
    constexpr float kStep = 1e-3F;
    double worst = 0;
    double most = 0;
    for (Matrix KgModel::*matrix : {&KgModel::entities, &KgModel::relations}) {
      for (int64_t i = 0; i < (at.*matrix).rows() * (at.*matrix).stride(); ++i) {
        float& value = (at.*matrix).row(0)[i];
        if (i % padded(kSize) >= kSize) continue;
        const float old = value;
        value = old + kStep;
        const double above = loss_of(at, 0.4F, positives, negatives);
        value = old - kStep;
        const double below = loss_of(at, 0.4F, positives, negatives);
        value = old;
        const double change = static_cast<double>((model.*matrix).row(0)[i]) -
                              static_cast<double>((before.*matrix).row(0)[i]);
        worst = std::max(worst, std::abs(change + (above - below) / 2e-3));
        most = std::max(most, std::abs(change));
      }
    }
    CHECK(most > 0.1);
    CHECK(worst < 5e-3);
  }
}

TEST_CASE("vectors do not grow beyond the limit") {
  KgSettings settings = settings_for_wheel();
  settings.longest = 0.5F;
  settings.epochs = 3;
  KgModel model(ScoreKind::kTransD, Norm::kL1, 20, 30, 3);
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
  KgModel model(ScoreKind::kTransD, Norm::kL1, 20, 30, 3);
  KgSettings settings = settings_for_wheel();
  const double noise = learn(settings, ScoreKind::kTransD, model).mrr;
  CHECK(noise > 0.45);
  CHECK(learn(settings, ScoreKind::kTransE, model).mrr > 0.45);
  settings.adversary.emplace();
  settings.adversary->learned = false;
  CHECK(learn(settings, ScoreKind::kTransD, model).mrr > noise + 0.05);
  settings.adversary->learned = true;
  CHECK(learn(settings, ScoreKind::kTransD, model).mrr > noise + 0.05);
  settings.threads = 3;
  CHECK(learn(settings, ScoreKind::kTransD, model).mrr > noise);
}

TEST_CASE("two threads on rows that are seldom touched leave them as small as one thread does") {
  constexpr int32_t kEntities = 50000;
  std::vector<Triple> train;
  Random random(1);
  for (int32_t i = 0; i < kEntities; ++i) {
    train.push_back(
        {i, static_cast<int32_t>(random.below(3)), static_cast<int32_t>(random.below(kEntities))});
  }
  KgSettings settings;
  settings.batch = 50;
  settings.epochs = 10;
  settings.optimizer.beta1 = 0;
  settings.optimizer.by_time = true;
  const auto largest = [&](int threads) {
    settings.threads = threads;
    KgModel model = initial_model(ScoreKind::kTransD, Norm::kL1, kSize, kEntities, 3, 1);
    train_kg(train, settings, model, [](const KgState&) { return true; });
    float most = 0;
    const float* const rows = model.entities.row(0);
    for (int64_t k = 0; k < kEntities * model.entities.stride(); ++k) {
      most = std::max(most, std::abs(rows[k]));
    }
    return most;
  };
  CHECK(largest(2) < 1.5F * largest(1));
}

TEST_CASE("DistMult learns relations that read the same both ways") {
  std::vector<Triple> train;
  for (int32_t i = 0; i < 30; i += 2) {
    train.push_back({i, 0, i + 1});
    train.push_back({i + 1, 0, i});
  }
  KgSettings settings = settings_for_wheel();
  KgModel model = initial_model(ScoreKind::kDistMult, Norm::kL1, 20, 30, 1, 1);
  train_kg(train, settings, model, [](const KgState&) { return true; });
  CHECK(rank_links(model, train, AllAnswers(30, {train}), 1).filtered.mrr > 0.9);
}

TEST_CASE("equal seeds train equal models with one thread") {
  KgSettings settings = settings_for_wheel();
  settings.epochs = 5;
  settings.adversary.emplace();
  KgModel a(ScoreKind::kTransD, Norm::kL1, 20, 30, 3), b(ScoreKind::kTransD, Norm::kL1, 20, 30, 3);
  learn(settings, ScoreKind::kTransD, a);
  learn(settings, ScoreKind::kTransD, b);
  const int64_t floats = a.entities.rows() * a.entities.stride();
  CHECK(std::equal(a.entities.row(0), a.entities.row(0) + floats, b.entities.row(0)));
  settings.seed = 2;
  learn(settings, ScoreKind::kTransD, b);
  CHECK_FALSE(std::equal(a.entities.row(0), a.entities.row(0) + floats, b.entities.row(0)));
}

TEST_CASE("a report can end training") {
  KgSettings settings = settings_for_wheel();
  settings.report_every = 2;
  const std::vector<Triple> train = wheel();
  KgModel model = initial_model(ScoreKind::kTransE, Norm::kL1, 20, 30, 3, 1);
  std::vector<int64_t> epochs;
  train_kg(train, settings, model, [&](const KgState& state) {
    epochs.push_back(state.epoch);
    CHECK(state.triples == state.epoch * 90);
    CHECK(state.loss.noises > 0);
    return epochs.size() < 3;
  });
  CHECK(epochs == std::vector<int64_t>{2, 4, 6});
}

}  // namespace acevec
