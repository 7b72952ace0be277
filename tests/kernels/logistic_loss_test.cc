// Losses and gradients of scores, for every instruction set that this machine has, against plain
// loops in double.

#include "kernels/logistic_loss.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {

TEST_CASE(
    "logistic_loss_of_positives and logistic_loss_of_negatives give gradient and loss, for any "
    "score") {
  for_each_instruction_set([] {
    std::vector<float> all;
    for (int i = -400; i <= 400; ++i) all.push_back(static_cast<float>(i) * 0.23F);
    for (const size_t count : {size_t{1}, size_t{7}, size_t{16}, size_t{33}, all.size()}) {
      const std::vector<float> scores(all.end() - static_cast<ptrdiff_t>(count), all.end());
      std::vector<float> pulled = scores;
      std::vector<float> pushed = scores;
      const float weight = 1.5F;
      const double pull_loss =
          logistic_loss_of_positives(pulled.data(), static_cast<int64_t>(count), nullptr, 0.1F);
      const double push_loss =
          logistic_loss_of_negatives(pushed.data(), 1, static_cast<int64_t>(count), &weight, 0.1F);
      double pull_wanted = 0;
      double push_wanted = 0;
      double worst = 0;
      for (size_t i = 0; i < count; ++i) {
        const double s = double{scores[i]};
        pull_wanted += std::log1p(std::exp(-s));
        push_wanted += 1.5 * (s > 30 ? s : std::log1p(std::exp(s)));
        worst = std::max(worst, std::abs(double{pulled[i]} - 0.1 / (1 + std::exp(s))));
        worst = std::max(worst, std::abs(double{pushed[i]} + 0.15 / (1 + std::exp(-s))));
      }
      CHECK(worst < 1e-6);
      CHECK(pull_loss == doctest::Approx(pull_wanted).epsilon(1e-5));
      CHECK(push_loss == doctest::Approx(push_wanted).epsilon(1e-5));
    }
  });
}

TEST_CASE("positives of any weight") {
  for_each_instruction_set([] {
    for (const size_t count : {size_t{1}, size_t{11}, size_t{16}, size_t{704}}) {
      Random random(7);
      std::vector<float> scores(count);
      std::vector<float> weights(count);
      for (float& score : scores) score = 40 * random.uniform() - 20;
      for (float& weight : weights) weight = random.uniform();
      std::vector<float> gradients = scores;
      const double loss = logistic_loss_of_positives(gradients.data(), static_cast<int64_t>(count),
                                                     weights.data(), 0.1F);
      double wanted = 0;
      double worst = 0;
      for (size_t i = 0; i < count; ++i) {
        const double s = double{scores[i]};
        const double weight = double{weights[i]};
        wanted += weight * std::log1p(std::exp(-s));
        worst = std::max(worst, std::abs(double{gradients[i]} - 0.1 * weight / (1 + std::exp(s))));
      }
      CHECK(worst < 1e-6);
      CHECK(loss == doctest::Approx(wanted).epsilon(1e-5));
    }
  });
}

TEST_CASE("gradients are exact relative to their size, down to exp(-87)") {
  for_each_instruction_set([] {
    std::vector<float> scores;
    for (int i = 0; i <= 3480; ++i) scores.push_back(static_cast<float>(i) * 0.025F);
    std::vector<float> gradients = scores;
    logistic_loss_of_positives(gradients.data(), static_cast<int64_t>(gradients.size()), nullptr,
                               1);
    double worst = 0;
    for (size_t i = 0; i < scores.size(); ++i) {
      const double s = double{scores[i]};
      const double wanted = 1 / (1 + std::exp(s));
      const double error = std::abs(double{gradients[i]} - wanted) / wanted;
      worst = std::max(worst, error / (1 + s));
    }
    CHECK(worst < 3e-7);
    std::vector<float> far{100, 1e30F, kNoPair};
    logistic_loss_of_positives(far.data(), 3, nullptr, 1);
    CHECK(far == std::vector<float>{0, 0, 0});
  });
}

TEST_CASE("the loss of many large factors does not overflow") {
  for_each_instruction_set([] {
    std::vector<float> zeros(10000, 0.0F);
    const double loss = logistic_loss_of_positives(zeros.data(), 10000, nullptr, 1.0F);
    CHECK(loss == doctest::Approx(10000 * std::log(2.0)).epsilon(1e-5));
    CHECK(zeros[9999] == doctest::Approx(0.5));
  });
}

TEST_CASE("kNoPair has exactly no gradient and no loss") {
  for_each_instruction_set([] {
    std::vector<float> scores(37, kNoPair);
    const std::vector<float> weights(37, 0.5F);
    for (const float* const some : {static_cast<const float*>(nullptr), weights.data()}) {
      scores.assign(37, kNoPair);
      CHECK(logistic_loss_of_positives(scores.data(), 37, some, 1.0F) == 0.0);
      for (const float gradient : scores) CHECK(gradient == 0.0F);
    }
  });
}

TEST_CASE("a score that is not a number shows in the loss") {
  for_each_instruction_set([] {
    std::vector<float> scores(20, 0.0F);
    scores[11] = std::nanf("");
    CHECK(!std::isfinite(logistic_loss_of_positives(scores.data(), 20, nullptr, 1.0F)));
    scores.assign(20, 0.0F);
    scores[11] = std::nanf("");
    const std::vector<float> weights(20, 0.5F);
    CHECK(!std::isfinite(logistic_loss_of_positives(scores.data(), 20, weights.data(), 1.0F)));
    const float weight = 1.0F;
    scores.assign(20, 0.0F);
    scores[19] = std::nanf("");
    CHECK(!std::isfinite(logistic_loss_of_negatives(scores.data(), 1, 20, &weight, 1.0F)));
  });
}

}  // namespace acevec
