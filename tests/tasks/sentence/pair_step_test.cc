// Steps of training on pairs and labels against finite differences, and the anchor.

#include "tasks/sentence/pair_step.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tasks/sentence/toy_pairs.h"

namespace acevec::pair_step_test {
namespace {

constexpr int64_t kSize = 4;
constexpr char kPairs[] = "a b\tc d\nb e\tf\nc\ta f f\na b\te g\n";  // the first side comes twice

void fill(Matrix& rows, std::vector<float>& centre) {
  Random random(3);
  for (int64_t i = 0; i < rows.rows(); ++i) {
    for (int64_t k = 0; k <= kSize; ++k) rows.row(i)[k] = 2 * random.uniform() - 1;
  }
  for (float& number : centre) number = random.uniform() / 2;
}

using Vector = std::vector<double>;

Vector unit_of(const SentenceModel& model, std::span<const int32_t> ids) {
  Vector mean(kSize);
  double total = 0;
  for (const int32_t id : ids) {
    const float* const row = model.f.rows.row(id);
    const double weight = std::exp(static_cast<double>(row[kSize]));
    total += weight;
    for (size_t k = 0; k < kSize; ++k) mean[k] += weight * static_cast<double>(row[k]);
  }
  double length = 0;
  for (size_t k = 0; k < kSize; ++k) {
    mean[k] = mean[k] / total - static_cast<double>(model.centre[k]);
    length += mean[k] * mean[k];
  }
  for (double& number : mean) number /= std::sqrt(length);
  return mean;
}

// The sum over the first `pairs` pairs of the mean of both directions' losses. First sides are told
// from the second sides of the others too.
double loss_of(const SentenceModel& model, const PairText& text, double scale, int64_t pairs) {
  const auto n = static_cast<size_t>(pairs), all = static_cast<size_t>(text.pairs());
  std::vector<Vector> vectors[2];
  for (int side : {0, 1}) {
    for (int64_t i = 0; i < text.pairs(); ++i) {
      vectors[side].push_back(unit_of(model, text.side(i, side)));
    }
  }
  double loss = 0;
  for (int side : {0, 1}) {
    for (size_t i = 0; i < n; ++i) {
      double sum = 0, own = 0;
      for (size_t j = 0; j < (side == 0 ? all : n); ++j) {
        const auto a = static_cast<int64_t>(i), b = static_cast<int64_t>(j);
        if (a != b && (text.text(a, 0) == text.text(b, 0) || text.text(a, 1) == text.text(b, 1))) {
          continue;
        }
        double score = 0;
        for (size_t k = 0; k < kSize; ++k) {
          score += scale * vectors[side][i][k] * vectors[1 - side][j][k];
        }
        sum += std::exp(score);
        if (i == j) own = score;
      }
      loss += (std::log(sum) - own) / 2;
    }
  }
  return loss;
}

const OptimizerSettings kSgd{OptimizerKind::kSgd};

struct Toy {
  Toy()
      : file("step", kPairs),
        text({file.path}, TokenMode::kSpace),
        model(Vocabulary(text.words(), std::numeric_limits<int64_t>::min(), 0),
              {TokenMode::kSpace, kSize, true}),
        moments(model.f) {
    fill(model.f.rows, model.centre);
    text.renumber(model.vocabulary);
    moments.rows = Optimizer::moments_for(kSgd, model.f.rows.rows(), model.f.rows.stride());
    settings.scale = 3;
  }
  void step(float rate) {
    PairStep step(text, settings, model, moments, {4, 2, 20}, nullptr, kSgd);
    const std::vector<int64_t> all{0, 1, 2, 3};
    const std::span pairs = std::span(all).first(static_cast<size_t>(learned));
    std::vector<int64_t> hard{-1};
    for (int64_t pair = learned; pair < 4; ++pair) hard.push_back(pair);
    sum = step.learn(pairs, hard, 1, rate);
    if (twice) step.learn(pairs, hard, 2, rate);
  }

  const PairFile file;
  PairText text;
  SentenceModel model;
  NetworkMoments moments;
  SentenceSettings settings;
  Sums sum;
  bool twice = false;
  int64_t learned = 4;  // pairs; the others are hard
};

constexpr int64_t kLabels = 3;
constexpr char kLines[] =
    "__label__x a b\n__label__y b e e\n__label__x __label__z c\n__label__z a d\n";
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

  Sums step() {
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
  SentenceSettings settings;
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

TEST_CASE("a row of the text is pulled back by strength times rate of the way, and no further") {
  const PairFile file("anchor", "a b\tc\nc\tb\n");
  const PairText text({file.path}, TokenMode::kSpace);
  Matrix rows(4, 2);  // one of no text
  for (int64_t i = 0; i < rows.rows(); ++i) rows.row(i)[0] = static_cast<float>(i);
  const Anchor anchor(text, rows, 10);
  for (const auto& [rate, share] : {std::pair{0.02F, 0.2F}, {0.5F, 1.0F}}) {
    for (int64_t i = 0; i < 3; ++i) {
      rows.row(i)[0] = static_cast<float>(i) + 3;
      std::vector<float> change(static_cast<size_t>(rows.stride()), 1.0F);
      anchor.add_decay(rows.row(i), rate, change.data());
      CHECK(change[0] == doctest::Approx(1 - 3 * share));
      CHECK(change[1] == 1.0F);
    }
  }
}

TEST_CASE("a step goes down the gradient of both losses, weights of words included") {
  for (const int64_t learned : {4, 3, 2}) {  // with 0, 1 and 2 hard pairs
    CAPTURE(learned);
    Toy toy;
    toy.settings.anchor = 0;
    toy.learned = learned;
    toy.step(1);
    CHECK(toy.sum.loss.count == learned);
    Toy probe;
    for (int64_t id = 0; id < toy.model.f.rows.rows(); ++id) {
      for (int64_t k = 0; k <= kSize; ++k) {
        float& number = probe.model.f.rows.row(id)[k];
        const float start = number;
        constexpr float kStep = 1e-2F;
        number = start + kStep;
        const double above = loss_of(probe.model, probe.text, 3, learned);
        number = start - kStep;
        const double below = loss_of(probe.model, probe.text, 3, learned);
        number = start;
        CAPTURE(id);
        CAPTURE(k);
        CHECK(static_cast<double>(start - toy.model.f.rows.row(id)[k]) ==
              doctest::Approx((above - below) / (2 * static_cast<double>(kStep))).epsilon(5e-3));
      }
    }
  }
}

TEST_CASE("the anchor takes rows back to where they began by its share of the way") {
  Toy free, held, start;
  free.settings.anchor = 0;
  free.step(0.01F);
  Toy again;
  again.settings.anchor = 0;
  again.twice = true;
  again.step(0.01F);
  held.settings.anchor = 20;
  held.twice = true;
  held.step(0.01F);
  // The first steps are the same, since rows are still where they began; the second one of `held`
  // takes a fifth of the way back.
  for (int64_t id = 0; id < start.model.f.rows.rows(); ++id) {
    for (int64_t k = 0; k <= kSize; ++k) {
      const auto at = [&](const Toy& toy) { return toy.model.f.rows.row(id)[k]; };
      const float back = 0.2F * (at(free) - at(start));
      CHECK(static_cast<double>(at(held)) ==
            doctest::Approx(static_cast<double>(at(again) - back)).epsilon(1e-4));
    }
  }
}

TEST_CASE("a step goes down the gradient of the softmax over labels") {
  LabelToy toy, probe;
  const Sums sum = toy.step();
  CHECK(sum.loss.count == 4);
  CHECK(sum.loss.sum == doctest::Approx(probe.loss()));
  check_steps(toy.model.f.rows, probe, probe.model.f.rows);
  check_steps(toy.model.classifier, probe, probe.model.classifier);
}

}  // namespace acevec::pair_step_test
