// Every way of choosing negatives learns classes that no single number tells apart.

#include "tasks/metric/task.h"

#include <vector>

#include <doctest/doctest.h>
#include "tasks/metric/evaluation.h"
#include "train/train_task.h"

namespace acevec {
namespace {

// Points in the plane with two numbers more that say nothing; the class is the quadrant's parity.
LabelledPoints quadrants(int64_t count, uint64_t seed) {
  LabelledPoints set;
  set.points.values = Matrix(count, 4);
  set.points.shape = {4};
  Random random(seed);
  for (int64_t i = 0; i < count; ++i) {
    float* const row = set.points.values.row(i);
    for (int64_t k = 0; k < 4; ++k) row[k] = 2 * random.uniform() - 1;
    set.labels.push_back((row[0] > 0) == (row[1] > 0) ? 1 : 0);
  }
  return set;
}

MetricSettings settings_of(NegativeKind negatives) {
  MetricSettings settings;
  settings.kind = negatives;
  settings.batch = 40;
  return settings;
}

// The accuracy on points of the same kind after training.
double learned(const MetricSettings& settings) {
  const LabelledPoints train = quadrants(400, 1);
  const LabelledPoints valid = quadrants(400, 2);
  Encoder encoder({4, {24, 24}, 3});
  start_encoder(encoder, train.points.values, 1);
  MetricTask task({train, valid, settings, encoder});
  train_task(task, {settings.threads, 1, 40, {0.01, 0}});
  return task.evaluate()->score;
}

}  // namespace

TEST_CASE("every way to choose negatives brings classes together") {
  const LabelledPoints train = quadrants(400, 1);
  const LabelledPoints valid = quadrants(400, 2);
  const double raw =
      knn_accuracy({train.points.values, train.labels}, {valid.points.values, valid.labels}, 5, 1);
  CHECK(raw < 0.9);
  for (const auto kind :
       {NegativeKind::kUniform, NegativeKind::kHardest, NegativeKind::kSemiHard,
        NegativeKind::kUncertain, NegativeKind::kCritic, NegativeKind::kLearned}) {
    CAPTURE(static_cast<int>(kind));
    CHECK(learned(settings_of(kind)) > 0.94);
  }
}

TEST_CASE("any number of threads learns the same encoder and generator, to the byte") {
  // Images of classes of odd sizes: candidates that stand twice, and random shifts.
  LabelledPoints train = quadrants(203, 1);
  train.points.shape = {2, 2};
  for (const auto kind :
       {NegativeKind::kUniform, NegativeKind::kHardest, NegativeKind::kSemiHard,
        NegativeKind::kUncertain, NegativeKind::kCritic, NegativeKind::kLearned}) {
    CAPTURE(static_cast<int>(kind));
    std::vector<std::vector<float>> first;
    double first_loss = 0;
    for (const int threads : {1, 2, 3, 5, 16}) {
      CAPTURE(threads);
      MetricSettings settings = settings_of(kind);
      settings.batch = 102;
      settings.shift = 1;
      settings.threads = threads;
      Encoder encoder({4, {40, 24}, 3});
      start_encoder(encoder, train.points.values, 1);
      MetricTask task({train, {}, settings, encoder});
      const double loss = train_task(task, {threads, 1, 4, {0.01, 0}}).loss.sum;
      std::vector<std::vector<float>> learned;
      for (const Parameter& parameter : task.parameters()) {
        const Matrix& matrix = *parameter.matrix;
        learned.emplace_back(matrix.row(0), matrix.row(0) + matrix.rows() * matrix.stride());
      }
      if (threads == 1) {
        first = learned;
        first_loss = loss;
      }
      CHECK(learned == first);
      CHECK(loss == first_loss);
    }
  }
}

TEST_CASE("an epoch has every point once, in pairs of its class, in an order of its own") {
  LabelledPoints train;
  train.points.values = Matrix(8, 1);
  train.labels = {0, 1, 0, 1, 0, 2, 1, 1};  // classes of 3, 4 and 1
  const MetricSettings settings = settings_of(NegativeKind::kUniform);
  Encoder encoder({1, {}, 1});
  const LabelledPoints none;
  MetricTask task({train, none, settings, encoder});
  CHECK(task.units() == 10);  // one of class 0 has its positive's place twice, class 2 itself
  CHECK(task.pieces() == 1);
  CHECK_FALSE(task.evaluate());
}

TEST_CASE("images are moved, and edges repeated") {
  const std::vector<float> image{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // two of 2 × 3
  std::vector<float> moved(12);
  shift_image(image.data(), {2, 2, 3}, 0, 1, moved.data());
  CHECK(moved == std::vector<float>{1, 1, 2, 4, 4, 5, 7, 7, 8, 10, 10, 11});
  shift_image(image.data(), {2, 2, 3}, -1, 0, moved.data());
  CHECK(moved == std::vector<float>{4, 5, 6, 4, 5, 6, 10, 11, 12, 10, 11, 12});
  shift_image(image.data(), {1, 2, 3}, 9, -9, moved.data());
  CHECK(std::vector<float>(moved.begin(), moved.begin() + 6) ==
        std::vector<float>{3, 3, 3, 3, 3, 3});
}

}  // namespace acevec
