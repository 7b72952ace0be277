// Tests of sentence/gru_batch: sentences of different lengths keep their places, and a step is the
// gradient of finite differences, of rows and of gates.

#include "tasks/sentence/gru_batch.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/random.h"
#include "tasks/sentence/encoder.h"

namespace acevec::gru_batch_test {
namespace {

constexpr int64_t kSize = 5;
const std::vector<std::vector<int32_t>> kSentences{{2}, {0, 1, 1, 3}, {3, 2, 0}, {1, 0, 2}};

SentenceModel some_model() {
  SentenceModel model(Vocabulary({{"a", 4}, {"b", 3}, {"c", 2}, {"d", 1}}, 1, 0),
                      {TokenMode::kSpace, kSize, true, EncoderKind::kGru});
  start_model(model, 3);
  return model;
}

// Some function of the vectors: Σ_ik c_ik v_ik + v_ik²/2.
float weight(int64_t i, int64_t k) {
  return 0.3F * static_cast<float>(i) - 0.2F * static_cast<float>(k);
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

}  // namespace acevec::gru_batch_test
