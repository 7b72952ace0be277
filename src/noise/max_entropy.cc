#include "noise/max_entropy.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace acevec {
namespace {

// e^x − 1. Far from 0 nothing cancels, and exp takes a third of the time of expm1.
double exp_minus_1(double x) {
  return std::abs(x) > 0.5 ? std::exp(x) - 1 : std::expm1(x);
}

// p and ν for a given λ. With p = d e^x the optimality condition reads x + b (e^x − 1) = ν − log d,
// b = λ w d: x = c + b − W(b e^(c + b)), c = ν − log d. W's argument would overflow and the
// difference would cancel, so x is found by Newton's method on the condition itself, which
// increases and is convex; from the x of the last ν and λ it takes a step or two.
class MaximumEntropy {
 public:
  MaximumEntropy(const CountClasses& classes, std::vector<double> weights)
      : classes_(classes),
        weights_(std::move(weights)),
        log_unigram_(classes.size()),
        log_ratios_(classes.size()),
        growths_(classes.size()) {
    for (size_t i = 0; i < size(); ++i) log_unigram_[i] = std::log(classes.unigram[i]);
    nu_ = -std::log(classes.words);
  }

  // Finds ν by Newton's method on log Σ m p, which is nearly straight in ν, inside a bracket: with
  // ν above all log d every p would be above d, with ν below all of them below. It starts where the
  // tangent at the last λ has ν.
  void solve(double lambda) {
    constexpr double kRounding = 1e-15;
    double low = log_unigram_.back();
    double high = log_unigram_.front();
    nu_ = std::clamp(nu_ + nu_slope_ * std::log(lambda / lambda_), low, high);
    lambda_ = lambda;
    for (int step = 0; step < 100; ++step) {
      const auto [moved, moved_at_all, slope, lambda_slope] = move_all(lambda, nu_);
      nu_slope_ = -lambda_slope / slope;
      if (std::abs(moved) <= kRounding * moved_at_all) return;
      (moved < 0 ? low : high) = nu_;
      double next = nu_ - std::log1p(moved) * (1 + moved) / slope;
      if (!(next >= low && next <= high)) next = low + (high - low) / 2;
      if (std::abs(next - nu_) <= kRounding * std::abs(nu_)) return;
      nu_ = next;
    }
  }

  double distance_at(double lambda) {
    solve(lambda);
    double sum = 0;
    for (size_t i = 0; i < size(); ++i) {
      const double deviation = classes_.unigram[i] * growths_[i];
      sum += weights_[i] * deviation * deviation;
    }
    return std::sqrt(sum);
  }

  std::vector<double> probabilities() const {
    std::vector<double> p(size());
    for (size_t i = 0; i < size(); ++i) p[i] = classes_.unigram[i] * std::exp(log_ratios_[i]);
    return p;
  }
  double nu() const { return nu_; }

  // What λ·distance comes to for large λ, where p − d ≈ (ν − log d) / (λ w).
  double pull() const {
    double weight = 0, mean = 0, square = 0;
    for (size_t i = 0; i < size(); ++i) {
      const double m_over_w = classes_.sizes[i] * classes_.sizes[i] / weights_[i];
      const double log_d = log_unigram_[i];
      weight += m_over_w;
      const double change = log_d - mean;
      mean += change * m_over_w / weight;
      square += m_over_w * change * (log_d - mean);
    }
    return std::sqrt(square);
  }

 private:
  struct Moved {
    double sum;           // Σ m (p − d), which is to be 0
    double at_all;        // Σ m |p − d|
    double slope;         // of `sum` over ν
    double lambda_slope;  // of `sum` over log λ
  };

  size_t size() const { return classes_.size(); }

  Moved move_all(double lambda, double nu) {
    Moved moved{0, 0, 0, 0};
    for (size_t i = 0; i < size(); ++i) {
      const double mass = classes_.sizes[i] * classes_.unigram[i];  // m d
      const double b = lambda * weights_[i] / classes_.sizes[i] * classes_.unigram[i];
      move(b, nu - log_unigram_[i], log_ratios_[i], growths_[i]);
      const double growth = growths_[i];
      moved.sum += mass * growth;
      moved.at_all += mass * std::abs(growth);
      const double slope = mass * (1 + growth) / (1 + b * (1 + growth));
      moved.slope += slope;
      moved.lambda_slope -= slope * b * growth;
    }
    return moved;
  }

  // Solves x + b (e^x − 1) = c; `growth` is e^x − 1, before with the old x.
  static void move(double b, double c, double& x, double& growth) {
    constexpr double kRounding = 1e-16;
    // The tangent at 0 is below the curve, so its root is right of the curve's. From further left,
    // where the curve is flat, a step could go right beyond all bounds.
    const double rightmost = c / (1 + b);
    for (int steps = 0; steps < 100; ++steps) {
      const double next = x - (x + b * growth - c) / (1 + b * (1 + growth));
      const double step = x - std::min(next, rightmost);
      x -= step;
      // The error left is below step² / 2.
      if (step * step <= kRounding * std::abs(x)) {
        growth -= (1 + growth) * (step - step * step / 2);
        return;
      }
      growth = exp_minus_1(x);
    }
  }

  const CountClasses& classes_;
  std::vector<double> weights_;      // m w
  std::vector<double> log_unigram_;  // log d
  std::vector<double> log_ratios_;   // x = log(p / d)
  std::vector<double> growths_;      // e^x − 1 = (p − d) / d
  double nu_;
  double lambda_ = 1;    // that ν was last found for
  double nu_slope_ = 0;  // of ν over log λ there
};

}  // namespace

Noise solve_max_entropy(const CountClasses& classes, const Budget& budget) {
  return solve_within<MaximumEntropy>(budget, classes, -std::log(classes.words));
}

}  // namespace acevec
