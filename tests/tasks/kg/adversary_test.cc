// Whom the adversary chooses, and that its generator learns to choose better.

#include "tasks/kg/adversary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace acevec::adversary_test {
namespace {

constexpr int32_t kEntities = 40;

struct World {
  explicit World(std::vector<Triple> triples = {{0, 0, 1}, {0, 0, 2}, {3, 0, 1}, {5, 1, 6}})
      : model(initial_model({ScoreKind::kTransD, 8}, kEntities, 2, 3)),
        train(std::move(triples)),
        known(kEntities, {train}) {}

  KgModel model;
  std::vector<Triple> train;
  KnownTriples known;
};

KgAdversarySettings critic() {
  KgAdversarySettings settings;
  REQUIRE(settings.sampler == Sampler::kCritic);
  settings.noise_weight = 0.25;
  settings.prior = 1.5F;
  settings.candidates = 0;
  return settings;
}

KgSettings training(const KgAdversarySettings& adversary) {
  KgSettings settings;
  settings.margin = 2;
  settings.adversary = adversary;
  return settings;
}

// How often each entity is drawn for the triple's side.
std::map<int32_t, double> draws_of(const World& world, const KgAdversarySettings& settings,
                                   Side side, int64_t turns) {
  const KgSettings game = training(settings);
  KgAdversary adversary(game, world.model, world.known);
  Random random(2);
  std::map<int32_t, double> drawn;
  double all = 0;
  for (int64_t i = 0; i < turns; ++i) {
    Negative negative;
    adversary.next({world.train.data(), 1}, random, {&negative, 1});
    if (negative.entity < 0 || negative.side != side) continue;
    ++drawn[negative.entity];
    ++all;
  }
  for (auto& [id, count] : drawn) count /= all;
  return drawn;
}

// That draws for the first triple have the probabilities they should.
void check_critic(const World& world) {
  for (const Side side : {Side::kHead, Side::kTail}) {
    std::vector<double> wanted(kEntities);
    double sum = 0;
    for (int32_t id = 0; id < kEntities; ++id) {
      const Triple triple = replaced(world.train[0], side, id);
      if (world.known.at(side).contains(triple)) continue;
      wanted[static_cast<size_t>(id)] = std::exp(-1.5 * double{world.model.distance(triple)});
      sum += wanted[static_cast<size_t>(id)];
    }
    std::map<int32_t, double> drawn = draws_of(world, critic(), side, 80000);
    for (int32_t id = 0; id < kEntities; ++id) {
      const double share = wanted[static_cast<size_t>(id)] / sum;
      CAPTURE(id);
      CHECK(drawn[id] == doctest::Approx(share).epsilon(0.05).scale(0.02));
    }
  }
}

}  // namespace

TEST_CASE("the critic draws by the softmax of distances, and nothing that is true") {
  // Of the second, few tails are left.
  std::vector<Triple> many;
  for (int32_t tail = 4; tail < kEntities; ++tail) many.push_back({0, 0, tail});
  for (const World& world : {World(), World(many)}) check_critic(world);
}

TEST_CASE("the critic draws nothing where all is true") {
  std::vector<Triple> all;
  for (int32_t tail = 0; tail < kEntities; ++tail) all.push_back({0, 0, tail});
  const World world(all);
  CHECK(draws_of(world, critic(), Side::kTail, 100).empty());
  CHECK_FALSE(draws_of(world, critic(), Side::kHead, 100).empty());
}

TEST_CASE("the generators of heads and of tails start with different layers") {
  const World world;
  KgAdversarySettings learned;
  learned.sampler = Sampler::kLearned;
  const KgSettings game = training(learned);
  KgAdversary adversary(game, world.model, world.known);
  std::vector<Parameter> parameters;
  adversary.list(parameters);
  const auto first_of = [&](const std::string& name) -> const Matrix& {
    return *std::ranges::find(parameters, name, &Parameter::name)->matrix;
  };
  const Matrix &heads = first_of("heads layer"), &tails = first_of("tails layer");
  int64_t equal = 0;
  for (int64_t k = 0; k < 32; ++k) equal += heads.row(0)[k] == tails.row(0)[k] ? 1 : 0;
  CHECK(equal < 4);
}

TEST_CASE("a generator that starts from the critic draws as the critic") {
  const World world;
  KgAdversarySettings learned = critic();
  learned.sampler = Sampler::kLearned;
  learned.optimizer.rate = 0;  // it stays as it is
  std::map<int32_t, double> wanted = draws_of(world, critic(), Side::kTail, 320000);
  std::map<int32_t, double> drawn = draws_of(world, learned, Side::kTail, 320000);
  for (int32_t id = 0; id < kEntities; ++id) {
    CHECK(drawn[id] == doctest::Approx(wanted[id]).epsilon(0.05).scale(0.02));
  }
}

TEST_CASE("negatives come with their part of the loss, from candidates drawn anew") {
  const World world;
  KgAdversarySettings settings = critic();
  settings.candidates = 10;
  const KgSettings game = training(settings);
  KgAdversary adversary(game, world.model, world.known);
  Random random(4);
  std::map<int32_t, int> drawn;
  for (int64_t i = 0; i < 1200; ++i) {
    std::vector<Negative> negatives(world.train.size());
    adversary.next(world.train, random, negatives);
    for (size_t j = 0; j < negatives.size(); ++j) {
      const Negative& negative = negatives[j];
      CHECK(negative.weight == 0.75F);
      ++drawn[negative.entity];
      CHECK_FALSE(world.known.at(negative.side)
                      .contains(replaced(world.train[j], negative.side, negative.entity)));
    }
  }
  CHECK(drawn.size() == kEntities);
}

TEST_CASE("candidates are entities of the step's own triples, by their share, and any others") {
  const World world;
  KgAdversarySettings settings = critic();
  settings.candidates = 2;
  settings.in_batch = 0.5;
  settings.prior = 0;                         // both are chosen equally often
  const KnownTriples nothing(kEntities, {});  // that would have to be left out
  std::vector<double> own(kEntities);
  for (const Triple& triple : world.train) {
    const double slot = 0.5 / static_cast<double>(world.train.size());
    own[static_cast<size_t>(triple.head)] += slot;
    own[static_cast<size_t>(triple.tail)] += slot;
  }
  const KgSettings game = training(settings);
  KgAdversary adversary(game, world.model, nothing);
  Random random(6);
  std::vector<Negative> negatives(world.train.size());
  constexpr int64_t kTurns = 80000;
  std::vector<double> drawn(kEntities);
  for (int64_t i = 0; i < kTurns; ++i) {
    adversary.next(world.train, random, negatives);
    for (const Negative& negative : negatives) {
      drawn[static_cast<size_t>(negative.entity)] +=
          1 / static_cast<double>(negatives.size() * kTurns);
    }
  }
  for (size_t id = 0; id < kEntities; ++id) {
    const double any = (1 - own[id]) / (kEntities - 1);  // the second is not the first
    CHECK(drawn[id] == doctest::Approx((own[id] + any) / 2).epsilon(0.05).scale(0.02));
  }
}

TEST_CASE("few entities in a step leave room for others") {
  const World world;
  KgAdversarySettings settings = critic();
  settings.candidates = kEntities - 1;
  settings.in_batch = 1;
  CHECK(draws_of(world, settings, Side::kTail, 100).size() > 5);
}

TEST_CASE("a generator learns what the loss is high for, and to leave true triples alone") {
  const World world;
  for (const auto estimator :
       {PolicySettings::Estimator::kExact, PolicySettings::Estimator::kReinforce}) {
    KgAdversarySettings settings = critic();
    settings.sampler = Sampler::kLearned;
    settings.prior = 0;
    settings.optimizer.rate = 0.02F;
    settings.policy.estimator = estimator;
    const KgSettings game = training(settings);
    KgAdversary adversary(game, world.model, world.known);
    Random random(5);
    const auto learn = [&](int64_t steps) {
      std::vector<Negative> negatives(world.train.size());
      for (int64_t i = 0; i < steps; ++i) {
        adversary.next(world.train, random, negatives);
      }
      const PolicyReport report = adversary.take_report();
      return report.reward / report.conditions;
    };
    const double before = learn(20);
    learn(600);
    CHECK(learn(20) > before + 0.3);
  }
}

}  // namespace acevec::adversary_test
