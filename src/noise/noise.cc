#include "noise/noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

// Computes p and ν for a given λ: (λ M W + L) p = λ M W d + ν m, where ν is such that Σ m p = 1.
//
// The pivots of Gaussian elimination are 1 + s, where s is a row's excess over its off-diagonal −1:
//   s_1 = λ m_1 w_1,   s_i = λ m_i w_i + s_{i−1} / (1 + s_{i−1}),
// and everything else is a sum of products of positive numbers too, so each probability is accurate
// to rounding however small it is.
class Smoother {
 public:
  Smoother(const CountClasses& classes, std::vector<double> weights)
      : classes_(classes),
        weights_(std::move(weights)),
        carry_(classes.size()),
        shift_(classes.size()),
        probabilities_(classes.size()) {}

  // Solves for λ > 0 and returns the distance from the data.
  double distance_at(double lambda) {
    eliminate(lambda);
    double data = 0, shift = 0, sum = 0, shift_sum = 0;
    for (size_t i = size(); i-- > 0;) {  // back substitution; the sums are Σ m of either solution
      data = probabilities_[i] = (probabilities_[i] + data) * carry_[i];
      shift = shift_[i] = (shift_[i] + shift) * carry_[i];
      sum += classes_.sizes[i] * data;
      shift_sum += classes_.sizes[i] * shift;
    }
    // 1 − sum is nonnegative except for rounding, hence p > 0.
    const double scale = 1 / std::max(sum, 1.0);
    nu_ = std::max(1 - sum, 0.0) / shift_sum;
    for (size_t i = 0; i < size(); ++i) {
      probabilities_[i] = probabilities_[i] * scale + nu_ * shift_[i];
    }
    return distance(classes_, weights_, probabilities_);
  }

  const std::vector<double>& probabilities() const { return probabilities_; }
  double nu() const { return nu_; }

  // The limit of λ·distance for large λ, where p − d ≈ −L d / (λ m w); the constraint on the sum
  // matters little for a guess.
  double asymptote() const {
    const std::vector<double>& d = classes_.unigram;
    double sum = 0;
    for (size_t i = 0; i < size(); ++i) {
      const double above = i > 0 ? d[i - 1] - d[i] : 0;
      const double below = i + 1 < size() ? d[i] - d[i + 1] : 0;
      sum += (above - below) * (above - below) / weights_[i];
    }
    return std::sqrt(sum);
  }

 private:
  size_t size() const { return classes_.size(); }

  // Two right-hand sides at once, λ M W d and m; carry_ is 1 / pivot. s is kept as a fraction, so
  // that no row waits for the division of the previous one.
  void eliminate(double lambda) {
    constexpr double kLarge = 1e60;  // λ m w times this is still finite
    double numerator = 0, denominator = 1, data = 0, shift = 0, carry = 0;
    for (size_t i = 0; i < size(); ++i) {
      const double weight = lambda * weights_[i];
      denominator += numerator;
      numerator += weight * denominator;
      if (numerator > kLarge) {
        denominator /= numerator;
        numerator = 1;
      }
      data = weight * classes_.unigram[i] + data * carry;
      shift = classes_.sizes[i] + shift * carry;
      const double unit = i + 1 < size() ? 1 : 0;
      carry = denominator / (unit * denominator + numerator);
      carry_[i] = carry;
      probabilities_[i] = data;
      shift_[i] = shift;
    }
  }

  const CountClasses& classes_;
  std::vector<double> weights_;  // m w
  std::vector<double> carry_, shift_, probabilities_;
  double nu_ = 0;
};

// e^x − 1. Away from 0 nothing cancels, and exp takes a third of the time of expm1.
double exp_minus_1(double x) {
  return std::abs(x) > 0.5 ? std::exp(x) - 1 : std::expm1(x);
}

// Computes p and ν for a given λ. With p = d e^x the optimality condition is x + b
// (e^x − 1) = ν − log d, b = λ w d: x = c + b − W(b e^(c + b)), c = ν − log d. W's argument would
// overflow and the difference would cancel, so Newton's method solves the condition itself, which
// is increasing and convex in x; starting at the x of the last ν and λ it takes a step or two.
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

  // Finds ν by Newton's method on log Σ m p, which is nearly linear in ν, within a bracket: if ν
  // were above all log d, every p would be above d, and if below all of them, below d. Starts at
  // the ν of the tangent at the last λ.
  void solve(double lambda) {
    constexpr double kRounding = 1e-15;
    double low = log_unigram_.back();
    double high = log_unigram_.front();
    nu_ = std::clamp(nu_ + nu_slope_ * std::log(lambda / lambda_), low, high);
    lambda_ = lambda;
    for (int step = 0; step < 100; ++step) {
      const auto [residual, magnitude, slope, lambda_slope] = find_residual(lambda, nu_);
      nu_slope_ = -lambda_slope / slope;
      if (std::abs(residual) <= kRounding * magnitude) return;
      (residual < 0 ? low : high) = nu_;
      double next = nu_ - std::log1p(residual) * (1 + residual) / slope;
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

  // The limit of λ·distance for large λ, where p − d ≈ (ν − log d) / (λ w).
  double asymptote() const {
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
  struct Residual {
    double sum;           // Σ m (p − d), to be made 0
    double magnitude;     // Σ m |p − d|
    double slope;         // derivative of `sum` by ν
    double lambda_slope;  // derivative of `sum` by log λ
  };

  size_t size() const { return classes_.size(); }

  Residual find_residual(double lambda, double nu) {
    Residual residual{0, 0, 0, 0};
    for (size_t i = 0; i < size(); ++i) {
      const double mass = classes_.sizes[i] * classes_.unigram[i];  // m d
      const double b = lambda * weights_[i] / classes_.sizes[i] * classes_.unigram[i];
      solve_class(b, nu - log_unigram_[i], log_ratios_[i], growths_[i]);
      const double growth = growths_[i];
      residual.sum += mass * growth;
      residual.magnitude += mass * std::abs(growth);
      const double slope = mass * (1 + growth) / (1 + b * (1 + growth));
      residual.slope += slope;
      residual.lambda_slope -= slope * b * growth;
    }
    return residual;
  }

  // Solves x + b (e^x − 1) = c; `growth` is e^x − 1, on entry for the initial x.
  static void solve_class(double b, double c, double& x, double& growth) {
    constexpr double kRounding = 1e-16;
    // The tangent at 0 is below the curve, so its root is to the right of the curve's. Starting
    // further left, where the curve is flat, a step could overshoot beyond all bounds.
    const double rightmost = c / (1 + b);
    for (int steps = 0; steps < 100; ++steps) {
      const double next = x - (x + b * growth - c) / (1 + b * (1 + growth));
      const double step = x - std::min(next, rightmost);
      x -= step;
      // The remaining error is below step² / 2.
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
  double lambda_ = 1;    // λ of the last ν
  double nu_slope_ = 0;  // derivative of ν by log λ there
};

// The distribution as far from the data as the budget allows. A Solver is constructed from the
// classes and class_weights(). Its distance_at(λ) falls from that of the uniform distribution at
// λ = 0 towards 0, asymptote() is the approximate limit of λ·distance for large λ, and
// probabilities() and nu(), Multipliers::sum, are those of the last λ. `uniform_nu`: nu() of the
// uniform distribution.
template <class Solver>
Noise solve_within(const Budget& budget, const CountClasses& classes, double uniform_nu) {
  // A fraction below 1e-24 moves a probability by less than 1e-12 of its whole range.
  if (classes.size() == 1 || budget.fraction < 1e-24) return {classes.unigram, {}};
  if (budget.fraction >= 1) return {uniform_noise(classes), Multipliers{0, uniform_nu}};
  const std::vector<double> weights = class_weights(classes, budget.precision);
  const double farthest = distance(classes, weights, uniform_noise(classes));
  const double wanted = std::sqrt(budget.fraction) * farthest;
  Solver solver(classes, weights);
  // 1/distance − 1/farthest is proportional to λ for small and large λ, and close to a power of λ
  // in between, so its logarithm is nearly linear in log λ everywhere.
  const auto inverse_gap = [&](double distance_there) {
    return std::max(1 / distance_there - 1 / farthest, 0.0);
  };
  const double target = std::log(inverse_gap(wanted));
  const auto excess = [&](double log_lambda) {
    return std::log(inverse_gap(solver.distance_at(std::exp(log_lambda)))) - target;
  };
  constexpr double kWidest = 500;  // e^±500: beyond anything 64-bit counts can require
  const double tolerance = 1e-11 * farthest / (farthest - wanted);  // 1e-11 in log distance
  const double guess = std::clamp(std::log(solver.asymptote()) + target, -kWidest, kWidest);
  const double lambda =
      std::exp(increasing_root(excess, -kWidest, kWidest, guess, 0.75, tolerance));
  return {solver.probabilities(), Multipliers{lambda, solver.nu()}};
}

// count^power, scaled to sum to 1; power 1 is unigram, 0 uniform.
std::vector<double> powered(const std::vector<int64_t>& counts, double power) {
  std::vector<double> weights;
  weights.reserve(counts.size());
  for (const int64_t count : counts) weights.push_back(std::pow(static_cast<double>(count), power));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Solves for the classes of equal counts, and assigns words their class's probability.
Noise solved(const std::vector<int64_t>& counts, const NoiseSettings& settings,
             Noise (*solve)(const CountClasses&, const Budget&)) {
  Budget budget = *usual_budget(settings.kind);
  budget.fraction = settings.budget.value_or(budget.fraction);
  const CountClasses classes = count_classes(counts);
  const Noise of_classes = solve(classes, budget);
  Noise noise{{}, of_classes.multipliers};
  for (const int32_t index : classes.of_word) {
    noise.probabilities.push_back(of_classes.probabilities[static_cast<size_t>(index)]);
  }
  return noise;
}

}  // namespace

CountClasses count_classes(const std::vector<int64_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  const auto count = [&](int32_t word) { return counts[static_cast<size_t>(word)]; };
  if (!std::ranges::is_sorted(counts, std::greater<>())) {
    std::ranges::sort(order, std::greater<>(), count);
  }
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  CountClasses classes;
  classes.words = static_cast<double>(counts.size());
  classes.of_word.resize(counts.size());
  int64_t last = 0;
  for (const int32_t word : order) {
    if (count(word) != last) {
      last = count(word);
      classes.sizes.push_back(0);
      classes.unigram.push_back(static_cast<double>(last) / total);
    }
    classes.sizes.back() += 1;
    classes.of_word[static_cast<size_t>(word)] = static_cast<int32_t>(classes.size() - 1);
  }
  return classes;
}

std::vector<double> class_weights(const CountClasses& classes, Precision precision) {
  std::vector<double> weights = classes.sizes;
  if (precision == Precision::kRelative) {
    for (size_t i = 0; i < weights.size(); ++i) weights[i] /= classes.unigram[i];
  }
  return weights;
}

double distance(const CountClasses& classes, const std::vector<double>& weights,
                const std::vector<double>& probabilities) {
  // Four independent sums, to avoid waiting for each addition.
  std::array<double, 4> sums{};
  for (size_t i = 0; i < weights.size(); ++i) {
    const double deviation = probabilities[i] - classes.unigram[i];
    sums[i % 4] += weights[i] * deviation * deviation;
  }
  return std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

std::vector<double> uniform_noise(const CountClasses& classes) {
  return std::vector<double>(classes.size(), 1 / classes.words);
}

double increasing_root(const std::function<double(double)>& function, double low, double high,
                       double guess, double slope, double tolerance) {
  constexpr int kMost = 200;
  constexpr double kRounding = 4e-16;
  bool low_seen = false;  // evaluated, not just given
  bool high_seen = false;
  double at = guess;
  double value = function(at);
  double value_before = std::numeric_limits<double>::infinity();
  for (int evaluations = 1; evaluations < kMost && std::abs(value) > tolerance; ++evaluations) {
    (value < 0 ? low : high) = at;
    (value < 0 ? low_seen : high_seen) = true;
    // A secant step that does not halve the value is too slow: double it, to bracket the root
    // between two evaluated points, and then bisect.
    const bool slow = std::abs(value) > std::abs(value_before) / 2;
    double next = at - (slow ? 2 : 1) * value / slope;
    if ((slow && low_seen && high_seen) || !(next > low && next < high)) {
      next = low + (high - low) / 2;
    }
    if (std::abs(next - at) <= kRounding * std::abs(at) || next <= low || next >= high) break;
    const double before = at;
    value_before = value;
    at = next;
    value = function(at);
    const double secant = (value - value_before) / (at - before);
    if (secant > 0 && std::isfinite(secant)) slope = secant;
  }
  return at;
}

Noise solve_qcem(const CountClasses& classes, const Budget& budget) {
  return solve_within<Smoother>(budget, classes, 0);
}

Noise solve_max_entropy(const CountClasses& classes, const Budget& budget) {
  return solve_within<MaximumEntropy>(budget, classes, -std::log(classes.words));
}

std::optional<Budget> usual_budget(NoiseKind kind) {
  switch (kind) {
    case NoiseKind::kUnigram:
    case NoiseKind::kPower:
    case NoiseKind::kUniform:
      return std::nullopt;
    case NoiseKind::kQcem:
      return Budget{0.9, Precision::kIsotropic};
    case NoiseKind::kQcemRelative:
      return Budget{0.03, Precision::kRelative};
    case NoiseKind::kEntropy:
      return Budget{0.1, Precision::kRelative};
    case NoiseKind::kEntropyIsotropic:
      return Budget{0.001, Precision::kIsotropic};
  }
  refuse_case("noise");
}

Noise noise_distribution(const NoiseSettings& settings, const std::vector<int64_t>& counts) {
  switch (settings.kind) {
    case NoiseKind::kUnigram:
      return {powered(counts, 1), {}};
    case NoiseKind::kUniform:
      return {powered(counts, 0), {}};
    case NoiseKind::kPower:
      return {powered(counts, settings.power), {}};
    case NoiseKind::kQcem:
    case NoiseKind::kQcemRelative:
      return solved(counts, settings, solve_qcem);
    case NoiseKind::kEntropy:
    case NoiseKind::kEntropyIsotropic:
      return solved(counts, settings, solve_max_entropy);
  }
  refuse_case("noise");
}

}  // namespace acevec
