// Whole trainings on a small tree.

#include "tasks/order/task.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include "tasks/order/evaluation.h"
#include "tasks/order/geometry.h"
#include "tasks/order/small_adversary.h"
#include "tasks/order/tree.h"
#include "train/train_task.h"

namespace acevec {
namespace {

constexpr int64_t kSize = 10;

// A run's length and rate beside the task's own settings.
struct OrderRun : OrderSettings {
  int64_t epochs = 60;

  TaskRunner::Plan plan() const { return {threads, seed, epochs, {0.02, 0}}; }
};

OrderRun small_settings() {
  OrderRun settings;
  settings.size = kSize;
  settings.batch = 50;
  return settings;
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
    const Threshold threshold = best_threshold({trained.vectors}, split.development);
    CHECK(accuracy({trained.vectors}, split.test, threshold.penalty) > 0.8);
    const RankingScore score =
        rank_generals({trained.vectors}, generals_of(hierarchy.concepts.size(), hierarchy.lines),
                      split.test.positives, 100, 1);
    CHECK(score.all > 0.5);
  }
}

TEST_CASE("cones learn a tree's pairs, with and without ACE") {
  const Hierarchy hierarchy = tree(3, 5);
  const Split all{hierarchy.lines, {}, {}};
  const LabelledPairs labelled = label_pairs(hierarchy.lines, hierarchy, 1);
  for (const bool ace : {false, true}) {
    CAPTURE(ace);
    OrderRun settings = small_settings();
    settings.geometry = Geometry::kCone;
    settings.margin = 0.01F;
    if (ace) settings.adversary = small_adversary();
    Matrix vectors = nested_cones(all.train, 364, kSize, 1);
    OrderTask task(hierarchy, all, settings, vectors);
    train_task(task, {1, 1, 10, {1e-3, 0}});
    CHECK(best_threshold({vectors, Geometry::kCone}, labelled).accuracy > 0.99);
  }
}

TEST_CASE("any number of threads trains the same vectors") {
  const Hierarchy hierarchy = tree(3, 6);  // 1,093 concepts
  const Split all{hierarchy.lines, {}, {}};
  for (const Geometry geometry : {Geometry::kOrder, Geometry::kCone}) {
    for (const bool ace : {false, true}) {
      for (const Sampler sampler : {Sampler::kCritic, Sampler::kLearned}) {
        CAPTURE(static_cast<int>(geometry));
        CAPTURE(ace);
        OrderRun settings = small_settings();
        settings.geometry = geometry;
        settings.mask_noise = true;
        settings.batch = 700;  // several blocks in each phase of a step
        settings.epochs = 2;
        if (ace) settings.adversary = small_adversary();
        if (ace) settings.adversary->sampler = sampler;
        std::optional<Matrix> first;
        for (const int threads : {1, 2, 3, 5, 16}) {
          settings.threads = threads;
          Matrix vectors = geometry == Geometry::kOrder
                               ? initial_order_vectors(all.train, 1093, kSize, 1)
                               : nested_cones(all.train, 1093, kSize, 1);
          OrderTask task(hierarchy, all, settings, vectors);
          train_task(task, settings.plan());
          if (first) CHECK(same(*first, vectors));
          if (!first) first = std::move(vectors);
        }
      }
    }
  }
}

TEST_CASE("the same seed gives byte-identical output, another one another") {
  OrderRun settings = small_settings();
  settings.epochs = 3;
  settings.adversary = small_adversary();
  const Trained first = train_tree(3, 4, settings);
  CHECK(same(first.vectors, train_tree(3, 4, settings).vectors));
  settings.seed = 2;
  CHECK_FALSE(same(first.vectors, train_tree(3, 4, settings).vectors));
}

TEST_CASE("a step has no more than there is") {
  const Hierarchy hierarchy = tree(3, 3);
  const Split split{hierarchy.lines, {}, {}};
  OrderRun settings = small_settings();
  settings.batch = 1000000000;
  settings.epochs = 1;
  train(hierarchy, split, settings);  // takes all memory if it does not clip
}

TEST_CASE("every pair is learned from once an epoch") {
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
        return TaskRunner::Request{};
      },
      [] {});
  CHECK(learned == 2 * static_cast<double>(task.units()));
  CHECK(runner.state().done == 2 * task.units());
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

}  // namespace acevec
