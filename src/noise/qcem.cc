#include "noise/qcem.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace acevec {
namespace {

// p and ν for a given λ: (λ M W + L) p = λ M W d + ν m with ν such that Σ m p = 1.
//
// The pivots of Gauss's elimination are 1 + s, with s what a row has beyond its off-diagonal −1:
//   s_1 = λ m_1 w_1,   s_i = λ m_i w_i + s_{i−1} / (1 + s_{i−1}),
// and everything else is a sum of products of positive numbers too, so that each probability is
// right to rounding however small it is.
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
    const auto [sum, shift_sum] = substitute();
    // What is missing to 1 is never negative but for rounding, hence p > 0.
    const double scale = 1 / std::max(sum, 1.0);
    nu_ = std::max(1 - sum, 0.0) / shift_sum;
    for (size_t i = 0; i < size(); ++i) {
      probabilities_[i] = probabilities_[i] * scale + nu_ * shift_[i];
    }
    return distance(classes_, weights_, probabilities_);
  }

  const std::vector<double>& probabilities() const { return probabilities_; }
  double nu() const { return nu_; }

  // What λ·distance comes to for large λ, where p − d ≈ −L d / (λ m w); the sum matters little for
  // a guess.
  double pull() const {
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

  // Two right sides at once, λ M W d and m; carry_ is 1 / pivot. s is kept as a fraction, so that
  // no row waits for the division of the row before.
  void eliminate(double lambda) {
    constexpr double kLarge = 1e60;  // λ m w times this is still a number
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

  struct Sums {
    double data, shift;  // Σ m of either solution
  };

  Sums substitute() {  // backwards
    double data = 0, shift = 0;
    Sums sums{0, 0};
    for (size_t i = size(); i-- > 0;) {
      data = probabilities_[i] = (probabilities_[i] + data) * carry_[i];
      shift = shift_[i] = (shift_[i] + shift) * carry_[i];
      sums.data += classes_.sizes[i] * data;
      sums.shift += classes_.sizes[i] * shift;
    }
    return sums;
  }

  const CountClasses& classes_;
  std::vector<double> weights_;  // m w
  std::vector<double> carry_, shift_, probabilities_;
  double nu_ = 0;
};

}  // namespace

Noise solve_qcem(const CountClasses& classes, const Budget& budget) {
  return solve_within<Smoother>(budget, classes, 0);
}

}  // namespace acevec
