// Tests of sentence/label_step: its step against finite differences of the loss, computed plainly.

#include "tasks/sentence/label_step.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tasks/sentence/toy_pairs.h"

namespace acevec::label_step_test {
namespace {

constexpr int64_t kSize = 4;
constexpr int64_t kLabels = 3;
constexpr char kLines[] =
    "__label__x a b\n__label__y b e e\n__label__x __label__z c\n__label__z a d\n";
const OptimizerSettings kSgd{OptimizerKind::kSgd};

struct LabelToy {
  LabelToy()
      : file("label-step", kLines),
        text(PairText::labelled({file.path}, TokenMode::kSpace)),
        model(Vocabulary(text.words(), std::numeric_limits<int64_t>::min(), 0),
              {TokenMode::kSpace, kSize, true}),
        moments(model.f) {
    text.renumber(model.vocabulary);
    model.labels = text.labels();
    model.classifier = Matrix(kSize + 1, kLabels);
    Random random(3);
    for (int64_t i = 0; i < model.f.rows.rows(); ++i) {
      for (int64_t k = 0; k <= kSize; ++k) model.f.rows.row(i)[k] = 2 * random.uniform() - 1;
    }
    for (int64_t k = 0; k <= kSize; ++k) {
      for (int64_t l = 0; l < kLabels; ++l) model.classifier.row(k)[l] = 2 * random.uniform() - 1;
    }
    for (float& number : model.centre) number = random.uniform() / 2;
    moments.rows = Optimizer::moments_for(kSgd, model.f.rows.rows(), model.f.rows.stride());
    settings.anchor = 0;
  }

  ContrastSum step() {
    Matrix none = Optimizer::moments_for(kSgd, kSize + 1, model.classifier.stride());
    LabelStep step(text, settings, model, moments, none, {4, 20}, kSgd, kSgd);
    const std::vector<int64_t> lines{0, 1, 2, 3};
    return step.learn(lines, 1, 1);
  }

  // The sum over texts of −log of their labels' probabilities, in the mean of a text's labels.
  double loss() const {
    double sum = 0;
    for (int64_t i = 0; i < text.pairs(); ++i) {
      std::vector<double> mean(kSize);
      double total = 0;
      for (const int32_t id : text.side(i, 0)) {
        const float* const row = model.f.rows.row(id);
        const double weight = std::exp(static_cast<double>(row[kSize]));
        total += weight;
        for (size_t k = 0; k < kSize; ++k) mean[k] += weight * static_cast<double>(row[k]);
      }
      std::vector<double> scores(kLabels);
      double all = 0;
      for (size_t l = 0; l < kLabels; ++l) {
        scores[l] = static_cast<double>(model.classifier.row(kSize)[l]);
        for (size_t k = 0; k < kSize; ++k) {
          scores[l] += (mean[k] / total - static_cast<double>(model.centre[k])) *
                       static_cast<double>(model.classifier.row(static_cast<int64_t>(k))[l]);
        }
        all += std::exp(scores[l]);
      }
      const auto labels = text.side(i, 1);
      for (const int32_t label : labels) {
        sum += (std::log(all) - scores[static_cast<size_t>(label)]) /
               static_cast<double>(labels.size());
      }
    }
    return sum;
  }

  const PairFile file;
  PairText text;
  SentenceModel model;
  NetworkMoments moments;
  PairSettings settings;
};

void check_steps(const Matrix& after, const LabelToy& probe, Matrix& numbers) {
  for (int64_t i = 0; i < numbers.rows(); ++i) {
    for (int64_t k = 0; k < numbers.columns(); ++k) {
      float& number = numbers.row(i)[k];
      const float start = number;
      constexpr float kStep = 1e-2F;
      number = start + kStep;
      const double above = probe.loss();
      number = start - kStep;
      const double below = probe.loss();
      number = start;
      CAPTURE(i);
      CAPTURE(k);
      CHECK(static_cast<double>(start - after.row(i)[k]) ==
            doctest::Approx((above - below) / (2 * static_cast<double>(kStep))).epsilon(5e-3));
    }
  }
}

}  // namespace

TEST_CASE("a step goes down the gradient of the softmax over labels") {
  LabelToy toy, probe;
  const ContrastSum sum = toy.step();
  CHECK(sum.rows == 4);
  CHECK(sum.loss == doctest::Approx(probe.loss()));
  check_steps(toy.model.f.rows, probe, probe.model.f.rows);
  check_steps(toy.model.classifier, probe, probe.model.classifier);
}

}  // namespace acevec::label_step_test
