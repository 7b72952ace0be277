// Tests of sentence/contrast: losses by hand, gradients against finite differences, what is left
// out.

#include "tasks/sentence/contrast.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <vector>

namespace acevec::contrast_test {
namespace {

constexpr int64_t kRows = 4, kCandidates = 5;
constexpr Mark o = Mark::kOther, t = Mark::kTarget, x = Mark::kLeftOut;
const std::vector<Mark> kMarks{x, t, o, o, o,   //
                               t, x, t, o, o,   //
                               o, o, o, o, x,   // no target
                               t, t, x, t, t};  // nothing to tell targets from

std::vector<float> some_scores() {
  std::vector<float> scores;
  for (int i = 0; i < kRows * kCandidates; ++i) {
    scores.push_back(2 * std::sin(1.7F * static_cast<float>(i)));
  }
  return scores;
}

ScoreTable table_of(std::vector<float>& scores, const float* weights = nullptr) {
  return {{scores.data(), kCandidates}, kMarks.data(), weights, kRows, kCandidates};
}

void check_gradient(const std::function<Sums(std::vector<float>&)>& loss_of) {
  std::vector<float> gradient = some_scores();
  loss_of(gradient);
  for (size_t i = 0; i < gradient.size(); ++i) {
    constexpr float kStep = 1e-2F;
    std::vector<float> above = some_scores(), below = some_scores();
    above[i] += kStep;
    below[i] -= kStep;
    const double numeric =
        (loss_of(above).loss.sum - loss_of(below).loss.sum) / (2 * static_cast<double>(kStep));
    CHECK(static_cast<double>(gradient[i]) == doctest::Approx(numeric).epsilon(0.01).scale(0.1));
  }
}

}  // namespace

TEST_CASE("targets are picked among all candidates but those left out") {
  std::vector<float> scores = some_scores();
  const std::vector<float> s = scores;
  const Sums sum = softmax_loss(table_of(scores));
  CHECK(sum.loss.count == 2);
  const auto log_sum = [&](std::initializer_list<size_t> places) {
    double total = 0;
    for (const size_t i : places) total += std::exp(static_cast<double>(s[i]));
    return std::log(total);
  };
  const double first = log_sum({1, 2, 3, 4}) - static_cast<double>(s[1]);
  const double second = log_sum({5, 7, 8, 9}) - static_cast<double>(s[5] + s[7]) / 2;
  CHECK(sum.loss.sum == doctest::Approx(first + second));
}

TEST_CASE("the score of the sentence itself changes neither loss nor gradient") {
  std::vector<float> one = some_scores(), other = some_scores();
  other[0] = 50;
  const Sums a = softmax_loss(table_of(one));
  const Sums b = softmax_loss(table_of(other));
  CHECK(a.loss.sum == b.loss.sum);
  CHECK(one == other);
  CHECK(one[0] == 0);
}

TEST_CASE("the gradient of picking targets is that of finite differences") {
  check_gradient([](std::vector<float>& scores) { return softmax_loss(table_of(scores)); });
}

TEST_CASE("the gradient of comparing blocks is that of finite differences") {
  for (const int64_t block : {1, 2, 3}) {
    check_gradient([&](std::vector<float>& scores) {
      Random random(7);  // the same blocks each time
      return block_loss(table_of(scores), block, random);
    });
  }
}

TEST_CASE("a block of one is the loss of a pair") {
  std::vector<float> scores{3, 1, 2};
  const std::vector<Mark> marks{x, t, o};
  Random random(1);
  const Sums sum = block_loss({{scores.data(), 3}, marks.data(), nullptr, 1, 3}, 1, random);
  CHECK(sum.loss.sum == doctest::Approx(std::log1p(std::exp(2.0 - 1.0))));
  CHECK(sum.means[0].sum == 0);
  CHECK(scores[0] == 0);
}

TEST_CASE("the gradients are those of finite differences, with weights and without") {
  std::vector<float> weights;
  for (int i = 0; i < kRows * kCandidates; ++i)
    weights.push_back(0.2F + 0.3F * static_cast<float>(i % 4));
  weights[2] = 0;  // counts for nothing
  for (const float* const some : std::initializer_list<const float*>{nullptr, weights.data()}) {
    for (const int64_t block : {0, 2}) {
      check_gradient([&](std::vector<float>& scores) {
        Random random(7);
        const ScoreTable table = table_of(scores, some);
        return block > 0 ? block_loss(table, block, random) : softmax_loss(table);
      });
    }
  }
}

TEST_CASE("others count as their weights have it") {
  std::vector<float> scores{9, 1, 0.5F, -1, 2};
  const std::vector<Mark> marks{x, t, t, o, o};
  const std::vector<float> weights{0, 0, 0, 0.5F, 1.5F};
  const double z = 0.5 * std::exp(-1.0) + 1.5 * std::exp(2.0);
  CHECK(softmax_loss({{scores.data(), 5}, marks.data(), weights.data(), 1, 5}).loss.sum ==
        doctest::Approx(std::log(z + std::exp(1.0) + std::exp(0.5)) - 0.75));
}

TEST_CASE("a candidate's reward is the mean loss of each target beside it alone") {
  std::vector<float> scores{1, 0.5F, 2};
  const std::vector<Mark> marks{t, t, o};
  std::vector<float> rewards(3);
  contrast_rewards({{scores.data(), 3}, marks.data(), nullptr, 1, 3}, rewards.data());
  const auto softplus = [](double s) { return std::log1p(std::exp(s)); };
  CHECK(double{rewards[2]} == doctest::Approx((softplus(2 - 1) + softplus(2 - 0.5)) / 2));
}

}  // namespace acevec::contrast_test
