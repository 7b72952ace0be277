// Steps of both kinds of networks against finite differences.

#include "tasks/sentence/batch.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "tasks/sentence/encoder.h"

namespace acevec::batch_test {
namespace {

constexpr int64_t kSize = 5;
const std::vector<std::vector<int32_t>> kSentences{{2}, {0, 1, 1, 3}, {3, 2, 0}, {1, 0, 2}};

Matrix random_rows() {
  Random random(3);
  Matrix rows(4, kSize + 1);
  for (int64_t i = 0; i < rows.rows(); ++i) {
    for (int64_t k = 0; k <= kSize; ++k) rows.row(i)[k] = 2 * random.uniform() - 1;
  }
  return rows;
}

// Some function of the means: Σ_ik c_ik v_ik + v_ik²/2.
float weight(int64_t i, int64_t k) {
  return 0.3F * static_cast<float>(i) - 0.2F * static_cast<float>(k);
}

double value(const Matrix& rows) {
  double sum = 0;
  for (size_t i = 0; i < kSentences.size(); ++i) {
    for (int64_t k = 0; k < kSize; ++k) {
      double mean = 0, total = 0;
      for (const int32_t id : kSentences[i]) {
        const double a = std::exp(static_cast<double>(rows.row(id)[kSize]));
        mean += a * static_cast<double>(rows.row(id)[k]);
        total += a;
      }
      mean /= total;
      sum += static_cast<double>(weight(static_cast<int64_t>(i), k)) * mean + mean * mean / 2;
    }
  }
  return sum;
}

SentenceModel some_model() {
  SentenceModel model(Vocabulary({{"a", 4}, {"b", 3}, {"c", 2}, {"d", 1}}, 1, 0),
                      {TokenMode::kSpace, kSize, true, EncoderKind::kGru});
  start_model(model, 3);
  return model;
}

double value(const SentenceModel& model) {
  Matrix vectors(std::ssize(kSentences), kSize);
  SentenceEncoder(model).encode(kSentences, vectors, 0);
  double sum = 0;
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    for (int64_t k = 0; k < kSize; ++k) {
      const double v = double{vectors.row(i)[k]};
      sum += double{weight(i, k)} * v + v * v / 2;
    }
  }
  return sum;
}

// Of one number of the model: its gradient by differences.
double slope(float& number, const SentenceModel& model) {
  const float old = number;
  number = old + 0x1p-7F;
  const double above = value(model);
  number = old - 0x1p-7F;
  const double below = value(model);
  number = old;
  return (above - below) / 0x1p-6;
}

}  // namespace

TEST_CASE("few labelled texts have 32 steps an epoch, in batches of at least 8") {
  CHECK(default_label_batch(0) == 8);
  CHECK(default_label_batch(287) == 8);
  CHECK(default_label_batch(3000) == 93);
  CHECK(default_label_batch(8192) == 256);
  CHECK(default_label_batch(1'000'000'000'000) == 256);
}

TEST_CASE("the rate times the steps is the cube root of the labels, more where steps are many") {
  CHECK(default_label_rate(8, 5, 32, 1) == 0.0125);
  CHECK(default_label_rate(8, 10, 16, 1) == 0.0125);
  CHECK(default_label_rate(27, 5, 30, 1) == 0.02);
  CHECK(default_label_rate(1, 5, 32 * 4, 1) == 0.0031);
  CHECK(default_label_rate(8, 1, 32 * 25, 1) == 0.0125);
  CHECK(default_label_rate(8, 5, 32, 1.6) == 0.02);
  CHECK(default_label_rate(2, 1, 1, 1) == 0.1);  // the bounds
  CHECK(default_label_rate(2, 1000, 10'000'000, 1) == 0.0001);
}

TEST_CASE("long texts and rare labels raise the rate, at most to twice") {
  const auto factor = [](std::vector<int64_t> texts_of_label, double tokens) {
    return doctest::Approx(label_rate_factor(texts_of_label, tokens));
  };
  CHECK(factor({50, 50}, 3) == 1);
  CHECK(factor({7, 7, 7}, 20) == 1);
  CHECK(factor({50, 50}, 45) == 1.5);
  CHECK(factor({50, 50}, 200) == 2);
  CHECK(factor({7, 1}, 10) == (std::cbrt(8 / 7.0) + 2) / 2 / std::cbrt(2));
  CHECK(factor({7, 1}, 24.2) == 1.1 * (std::cbrt(8 / 7.0) + 2) / 2 / std::cbrt(2));
  CHECK(factor({1'000'000, 1, 1}, 1) == 2);
}

TEST_CASE("the more labelled texts, the more weight frequent words start with") {
  CHECK(default_label_a(10) == 3e-4);
  CHECK(default_label_a(3000) == 0.006);
  CHECK(default_label_a(1'000'000'000'000) == 0.01);
}

TEST_CASE("a bag's step is the gradient of the means, weights included") {
  const OptimizerSettings sgd{OptimizerKind::kSgd};
  Network network({TokenMode::kSpace, kSize}, 4);
  NetworkMoments moments(network);
  Matrix& rows = network.rows;
  rows = random_rows();
  moments.rows = Optimizer::moments_for(sgd, rows.rows(), rows.stride());
  const Matrix start = random_rows();
  BagBatch batch({{network, moments}}, sgd, {4, 20}, 1);
  for (int round = 0; round < 2; ++round) {  // what one step leaves does not reach the next
    for (const std::vector<int32_t>& sentence : kSentences) {
      batch.add(0, sentence);
    }
    batch.forward();
    for (int64_t i = 0; i < batch.count(); ++i) {
      CHECK(batch.vector(i)[kSize] == 0);
      for (int64_t k = 0; k < kSize; ++k) {
        batch.gradient(i)[k] = weight(i, k) + batch.vector(i)[k];
      }
      batch.take_gradient(i);
    }
    if (round == 1) batch.backward(1, 1);
    batch.clear();
  }
  for (int64_t id = 0; id < rows.rows(); ++id) {
    for (int64_t k = 0; k <= kSize; ++k) {
      constexpr float kStep = 1e-2F;
      Matrix above = random_rows(), below = random_rows();
      above.row(id)[k] += kStep;
      below.row(id)[k] -= kStep;
      const double numeric = (value(above) - value(below)) / (2 * static_cast<double>(kStep));
      const double taken = static_cast<double>(start.row(id)[k] - rows.row(id)[k]);
      CHECK(taken == doctest::Approx(numeric).epsilon(0.01));
    }
    for (int64_t k = kSize + 1; k < rows.stride(); ++k) CHECK(rows.row(id)[k] == 0);
  }
}

TEST_CASE("a gated unit's step is the gradient of the last states, and encoding gives these") {
  SentenceModel model = some_model(), start = some_model();
  const OptimizerSettings sgd{OptimizerKind::kSgd};
  NetworkMoments moments(model.f);
  moments.rows = Optimizer::moments_for(sgd, model.f.rows.rows(), model.f.rows.stride());
  moments.gates = Optimizer::moments_for(sgd, model.f.gates.rows(), model.f.gates.stride());
  GruBatch batch({{model.f, moments}}, sgd, sgd, {4, 20}, 1);
  Matrix vectors(4, kSize);
  SentenceEncoder(model).encode(kSentences, vectors, 0);
  for (int round = 0; round < 2; ++round) {  // what one step leaves does not reach the next
    for (const std::vector<int32_t>& sentence : kSentences) {
      batch.add(0, sentence);
    }
    batch.forward();
    for (int64_t i = 0; i < batch.count(); ++i) {
      for (int64_t k = 0; k < kSize; ++k) {
        CHECK(batch.vector(i)[k] == vectors.row(i)[k]);
        batch.gradient(i)[k] = weight(i, k) + batch.vector(i)[k];
      }
    }
    if (round == 1) batch.backward(1, 0.01F);  // less than the longest step
    batch.clear();
  }
  const auto check = [&](Matrix& before, const Matrix& after) {
    for (int64_t i = 0; i < before.rows(); ++i) {
      for (int64_t k = 0; k < before.columns(); ++k) {
        const double taken = double{before.row(i)[k] - after.row(i)[k]} / 0.01;
        const double numeric = k % padded(kSize) < kSize ? slope(before.row(i)[k], start) : 0;
        CHECK(taken == doctest::Approx(numeric).epsilon(0.01).scale(0.05));
      }
    }
  };
  check(start.f.rows, model.f.rows);
  check(start.f.gates, model.f.gates);
}

}  // namespace acevec::batch_test
