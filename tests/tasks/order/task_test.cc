// One step against the loss's definition; whole trainings on a small tree.

#include "tasks/order/task.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>
#include "kernels/order_penalty.h"
#include "tasks/order/evaluation.h"
#include "tasks/order/start.h"
#include "tasks/order/steps.h"
#include "tasks/order/tree.h"
#include "train/train_task.h"

namespace acevec {
namespace {

constexpr int64_t kSize = 10;

// No row of zeros: every concept is above another.
Matrix random_vectors(int32_t concepts, uint64_t seed) {
  std::vector<OrderPair> pairs;
  for (int32_t i = 0; i < concepts; ++i) pairs.push_back({(i + 1) % concepts, i});
  return initial_order_vectors(pairs, concepts, kSize, seed);
}

// Eq. 11, by its definition.
double loss_of(const Matrix& vectors, const std::vector<OrderPair>& positives,
               const std::vector<OrderPair>& negatives, double margin) {
  const auto penalty = [&](const OrderPair& pair) {
    double sum = 0;
    for (int64_t k = 0; k < kSize; ++k) {
      const double over =
          double{vectors.row(pair.general)[k]} - double{vectors.row(pair.specific)[k]};
      sum += std::pow(std::max(0.0, over), 2);
    }
    return sum;
  };
  double loss = 0;
  for (const OrderPair& pair : positives) loss += penalty(pair);
  for (const OrderPair& pair : negatives) loss += std::max(0.0, margin - penalty(pair));
  return loss;
}

// A run's length and rate beside the task's own settings.
struct OrderRun : OrderSettings {
  int64_t epochs = 60;
  int threads = 1;

  TaskRunner::Plan plan() const { return {threads, seed, epochs, {0.02, 0}}; }
};

OrderRun small_settings() {
  OrderRun settings;
  settings.size = kSize;
  settings.batch = 50;
  return settings;
}

OrderAdversarySettings small_adversary() {
  OrderAdversarySettings settings;
  settings.specific_share = OrderSettings().specific_share;
  settings.conditions = 20;
  settings.draws = 10;
  settings.policy.entropy_floor = 10;
  return settings;
}

// The negatives for 20 batches of 50 true pairs.
std::vector<std::vector<OrderPair>> draw_batches(OrderAdversary& adversary) {
  Random random(1);
  std::vector<std::vector<OrderPair>> batches(20);
  for (std::vector<OrderPair>& negatives : batches) adversary.next(50, random, negatives);
  return batches;
}

struct Trained {
  Matrix vectors;
  Sums sums;  // of the last epoch
};

Trained train(const Hierarchy& hierarchy, const Split& split, const OrderRun& settings) {
  Trained trained{
      initial_order_vectors(split.train, hierarchy.concepts.size(), settings.size, settings.seed),
      {}};
  OrderTask task(hierarchy, split, settings, trained.vectors);
  trained.sums = train_task(task, settings.plan());
  return trained;
}

// All of the tree is learned from.
Trained train_tree(int branches, int depth, const OrderRun& settings) {
  const Hierarchy hierarchy = tree(branches, depth);
  return train(hierarchy, {hierarchy.lines, {}, {}}, settings);
}

bool same(const Matrix& a, const Matrix& b) {
  return std::memcmp(a.row(0), b.row(0), static_cast<size_t>(a.bytes())) == 0;
}

}  // namespace

TEST_CASE("a step of gradient descent follows the finite differences of the loss") {
  constexpr float kRate = 1e-2F;
  constexpr float kMargin = 3;
  Matrix vectors = random_vectors(6, 3);
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t k = 0; k < kSize; ++k) vectors.row(i)[k] += 1;  // far from 0, where steps end
  }
  const std::vector<OrderPair> positives{{0, 1}, {2, 1}, {0, 1}};
  const std::vector<OrderPair> noise{{0, 3}, {1, 0}};
  const std::vector<OrderPair> adversarial{{4, 1}};
  std::vector<OrderPair> negatives = noise;
  negatives.insert(negatives.end(), adversarial.begin(), adversarial.end());

  std::vector<double> wanted;
  constexpr float kStep = 1e-3F;
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t k = 0; k < kSize; ++k) {
      float& coordinate = vectors.row(i)[k];
      const float was = coordinate;
      coordinate = was + kStep;
      const double above = loss_of(vectors, positives, negatives, double{kMargin});
      coordinate = was - kStep;
      const double below = loss_of(vectors, positives, negatives, double{kMargin});
      coordinate = was;
      wanted.push_back(-double{kRate} * (above - below) / (2 * double{kStep}));
    }
  }
  const double loss_before = loss_of(vectors, positives, negatives, double{kMargin});

  OptimizerSettings sgd{OptimizerKind::kSgd, kRate};
  Matrix moments = Optimizer::moments_for(sgd, 6, vectors.stride());
  Matrix before = random_vectors(6, 3);
  std::copy_n(vectors.row(0), 6 * vectors.stride(), before.row(0));
  OrderSteps steps(vectors, moments, sgd, kMargin, 6);
  const OrderLoss loss = steps.step(1, kRate, positives, noise, adversarial);
  CHECK(loss.positive + loss.noise + loss.adversarial == doctest::Approx(loss_before));
  CHECK(loss.positives == 3);
  CHECK(loss.noises == 2);
  CHECK(loss.adversarials == 1);
  double most = 0;
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t k = 0; k < kSize; ++k) {
      const double change = double{vectors.row(i)[k]} - double{before.row(i)[k]};
      CHECK(change == doctest::Approx(wanted[static_cast<size_t>(i * kSize + k)]).epsilon(0.02));
      most = std::max(most, std::abs(change));
    }
  }
  CHECK(most > 0.01);
  for (int64_t k = 0; k < kSize; ++k) CHECK(vectors.row(5)[k] == before.row(5)[k]);
}

TEST_CASE("what nothing is below starts at 0 and all else at half of a normal distribution") {
  constexpr int64_t kWide = 10000;
  const Matrix vectors = initial_order_vectors({{0, 1}, {3, 1}, {1, 2}}, 4, kWide, 1);
  for (const int64_t leaf : {0, 3}) {
    for (int64_t k = 0; k < kWide; ++k) CHECK(vectors.row(leaf)[k] == 0);
  }
  for (const int64_t general : {1, 2}) {
    int64_t zeros = 0;
    double squares = 0;
    for (int64_t k = 0; k < kWide; ++k) {
      const double value = double{vectors.row(general)[k]};
      CHECK(value >= 0);
      zeros += value == 0 ? 1 : 0;
      squares += value * value;
    }
    // Five standard deviations.
    CHECK(std::abs(static_cast<double>(zeros) / kWide - 0.5) < 0.025);
    CHECK(squares / kWide == doctest::Approx(0.5 * 0.25).epsilon(0.12));
  }
}

TEST_CASE("vectors stay non-negative and their padding 0") {
  const Trained trained = train_tree(3, 4, small_settings());
  for (int64_t i = 0; i < 121; ++i) {
    for (int64_t k = 0; k < trained.vectors.stride(); ++k) {
      const float value = trained.vectors.row(i)[k];
      CHECK(value >= 0);
      if (k >= kSize) CHECK(value == 0);
    }
  }
}

TEST_CASE("held-out pairs of a tree are told from false ones") {
  const Hierarchy hierarchy = tree(3, 5);  // 364 concepts
  const Split split = split_pairs(hierarchy, SplitKind::kHonest, 150, 1);
  for (const bool ace : {false, true}) {
    CAPTURE(ace);
    OrderRun settings = small_settings();
    if (ace) settings.adversary = small_adversary();
    const Trained trained = train(hierarchy, split, settings);
    const Threshold threshold = best_threshold(trained.vectors, split.development);
    CHECK(accuracy(trained.vectors, split.test, threshold.penalty) > 0.8);
    const RankingScore score =
        rank_generals(trained.vectors, generals_of(hierarchy.concepts.size(), hierarchy.lines),
                      split.test.positives, 100, 1);
    CHECK(score.all > 0.5);
  }
}

TEST_CASE(
    "cones learn a tree's pairs, with and without ACE, and stay in the ball with two threads") {
  const Hierarchy hierarchy = tree(3, 5);
  const Split all{hierarchy.lines, {}, {}};
  const LabelledPairs labelled = label_pairs(hierarchy.lines, hierarchy, 1);
  for (const bool ace : {false, true}) {
    CAPTURE(ace);
    OrderRun settings = small_settings();
    settings.geometry = Geometry::kCone;
    settings.margin = 0.01F;
    if (ace) settings.adversary = small_adversary();
    const auto learned = [&](int threads) {
      Matrix vectors = nested_cones(all.train, 364, kSize, 1);
      OrderTask task(hierarchy, all, settings, vectors);
      train_task(task, {threads, 1, 10, {1e-3, 0}});
      return vectors;
    };
    const Matrix one = learned(1);
    CHECK(best_threshold({one, Geometry::kCone}, labelled).accuracy > 0.99);
    CHECK(same(one, learned(1)));
    const Matrix two = learned(2);
    CHECK(two.finite());
    CHECK(best_threshold({two, Geometry::kCone}, labelled).accuracy > 0.99);
  }
}

TEST_CASE("with one thread the same seed gives byte-identical output") {
  OrderRun settings = small_settings();
  settings.epochs = 3;
  settings.adversary = small_adversary();
  const Trained first = train_tree(3, 4, settings);
  CHECK(same(first.vectors, train_tree(3, 4, settings).vectors));
  settings.seed = 2;
  CHECK_FALSE(same(first.vectors, train_tree(3, 4, settings).vectors));
}

TEST_CASE("all threads take part and every pair is learned from once an epoch") {
  OrderRun settings = small_settings();
  settings.epochs = 2;
  settings.threads = 3;
  const Hierarchy hierarchy = tree(3, 4);
  const Split split{hierarchy.lines, {}, {}};
  Matrix vectors = initial_order_vectors(split.train, 121, kSize, 1);
  OrderTask task(hierarchy, split, settings, vectors);
  TaskRunner runner(task, settings.plan());
  double learned = 0;
  runner.run(
      [&](const RunState& state, const Sums& piece) {
        learned += piece.means[0].count;  // of positive pairs
        CHECK(state.total == 2 * task.units());
        return TaskRunner::Wish{};
      },
      [] {});
  CHECK(learned == 2 * static_cast<double>(task.units()));
  CHECK(runner.state().done == 2 * task.units());
}

TEST_CASE("two threads on rows that are seldom touched leave them as small as one thread does") {
  constexpr int32_t kConcepts = 20000;
  std::vector<OrderPair> pairs;
  Random random(1);
  for (int32_t i = 1; i < kConcepts; ++i) {
    pairs.push_back({i, static_cast<int32_t>(random.below(static_cast<uint32_t>(i)))});
  }
  OrderRun settings = small_settings();
  settings.batch = 5;
  settings.epochs = 10;
  const Split split{pairs, {}, {}};
  const Hierarchy names = tree(2, 1);  // not used here
  const auto largest = [&](int threads) {
    settings.threads = threads;
    Matrix vectors = initial_order_vectors(pairs, kConcepts, kSize, 1);
    OrderTask task(names, split, settings, vectors);
    train_task(task, settings.plan());
    return *std::max_element(vectors.row(0), vectors.row(0) + kConcepts * vectors.stride());
  };
  CHECK(largest(2) < 1.5F * largest(1));
}

TEST_CASE("masked noise holds no pair that is learned from") {
  OrderRun settings = small_settings();
  settings.epochs = 5;
  const auto pairs = static_cast<double>(tree_pairs(2, 3).size());
  const auto noises = [&] { return train_tree(2, 3, settings).sums.means[1].count; };
  CHECK(noises() == pairs);
  settings.mask_noise = true;
  const double masked = noises();
  CHECK(masked < 0.9 * pairs);
  CHECK(masked > 0);
}

TEST_CASE("no adversarial negative is a pair that is learned from") {
  const std::vector<OrderPair> pairs = tree_pairs(3, 4);
  const ExactPairs truth = generals_of(121, pairs);
  const Matrix vectors = random_vectors(121, 1);
  OrderAdversarySettings settings = small_adversary();
  settings.negatives = 2;
  for (const double beta : {0.0, 5.0}) {
    CAPTURE(beta);
    settings.beta = beta;
    OrderAdversaryState state(settings, pairs, pairs, vectors, 1, 1);
    OrderAdversary adversary(state);
    for (const std::vector<OrderPair>& negatives : draw_batches(adversary)) {
      CHECK(negatives.size() <= 100);
      CHECK(negatives.size() > 50);  // what is above all else has no false specifics
      for (const OrderPair& pair : negatives) {
        CHECK_FALSE(truth.contains(pair.specific, pair.general));
        CHECK(pair.specific != pair.general);
      }
    }
    const OrderAdversaryReport report = adversary.take_report();
    CHECK(report.conditions == 200);
    CHECK(report.spared / report.conditions > 0.01);
    CHECK(report.spared / report.conditions < 0.9);
    CHECK(adversary.take_report().conditions == 0);
  }
}

TEST_CASE("adversarial negatives are as many as wanted, and of the sides wanted") {
  const std::vector<OrderPair> pairs = tree_pairs(3, 4);
  const ExactPairs generals = generals_of(121, pairs);
  const ExactPairs specifics = specifics_of(121, pairs);
  const Matrix vectors = random_vectors(121, 1);
  OrderAdversarySettings settings = small_adversary();
  settings.negatives = 0.5;
  for (const double share : {0.0, 0.5, 1.0}) {
    CAPTURE(share);
    settings.specific_share = share;
    OrderAdversaryState state(settings, pairs, pairs, vectors, 1, 1);
    OrderAdversary adversary(state);
    int kept_specific = 0;
    int kept_general = 0;
    int all = 0;
    for (const std::vector<OrderPair>& negatives : draw_batches(adversary)) {
      CHECK(negatives.size() <= 25);
      for (const OrderPair& pair : negatives) {
        ++all;
        // What is kept stands on its side in some pair learned from.
        kept_specific += generals.outcomes(pair.specific).empty() ? 0 : 1;
        kept_general += specifics.outcomes(pair.general).empty() ? 0 : 1;
      }
    }
    CHECK(all > 300);
    CHECK((kept_specific == all) == (share == 0));
    CHECK((kept_general == all) == (share == 1));
  }
}

TEST_CASE("generators learn to find false pairs that are hard") {
  // Two concepts of a hundred lie low for every condition, so that pairs with them cost the
  // discriminator; the others lie far out of order.
  constexpr int32_t kConcepts = 100;
  Matrix vectors(kConcepts, kSize);
  Random random(5);
  for (int32_t i = 0; i < kConcepts; ++i) {
    for (int64_t k = 0; k < kSize; ++k) vectors.row(i)[k] = i < 2 ? 0 : 1 + random.uniform();
  }
  std::vector<OrderPair> pairs;
  for (int32_t i = 10; i + 1 < kConcepts; ++i) pairs.push_back({i + 1, i});
  OrderAdversarySettings settings = small_adversary();
  settings.policy.entropy_floor = 0;
  settings.specific_share = 0.5;
  settings.beta = 0;                // the prior would know it from the start
  settings.spare_possible = false;  // the two are in no pair, so that nothing speaks against them
  OrderAdversaryState state(settings, pairs, pairs, vectors, 1, 1);
  OrderAdversary adversary(state);
  std::vector<OrderPair> negatives;
  const auto hard_share = [&] {
    double hard = 0;
    double generals = 0;
    for (int i = 0; i < 8; ++i) {
      adversary.next(50, random, negatives);
      for (const OrderPair& pair : negatives) {
        if (pair.general < 2) ++hard;
        ++generals;
      }
    }
    return hard / generals;
  };
  const double before = hard_share();
  for (int i = 0; i < 60; ++i) hard_share();
  CHECK(before < 0.1);
  CHECK(hard_share() > 0.3);  // a half of the draws replaces generals
}

}  // namespace acevec
