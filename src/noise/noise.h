// Noise distributions, from which negatives are drawn, computed from word counts.
//
// Some are solutions of an optimization problem: the best p near the data's unigram distribution d,
// within the quadratic constraint Σ m w (p − d)² ≤ budget of Kekeç, Mimno and Tax 2019 (Eqs. 4, 5;
// w is the diagonal of their precision matrix Σ⁻¹).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace acevec {

// Words with equal counts form a class: they share one probability in every noise distribution, and
// a million words form a few thousand classes. All vectors except `of_word` have one number per
// class, most frequent class first.
struct CountClasses {
  std::vector<double> sizes;     // m, the number of words in a class
  std::vector<double> unigram;   // d, the relative frequency of one of its words; Σ m d = 1
  std::vector<int32_t> of_word;  // the class of each word, in the order of the counts
  double words = 0;              // n = Σ m

  size_t size() const { return sizes.size(); }
};

// `counts`, in any order, must be positive and not empty. O(words) if they are in descending order,
// as in a vocabulary.
CountClasses count_classes(const std::vector<int64_t>& counts);

// w: the weight of a word's deviation.
enum class Precision {
  kIsotropic,  // w = 1
  kRelative,   // w = 1/d, the precision of a count: its variance is proportional to its mean
};

// The constraint. The fraction, 0 .. 1, is relative to the uniform distribution's Σ m w (1/n − d)²:
// 0 allows only the unigram distribution, and 1 everything up to the uniform one.
struct Budget {
  double fraction{};
  Precision precision{};
};

// Lagrange multipliers at the optimum: the gain per unit by which a constraint is loosened.
struct Multipliers {
  double budget;  // λ ≥ 0, of the quadratic constraint; 0 if it is inactive
  double sum;     // ν, of Σ m p = 1
};

// A distribution over words, or from a solver over classes: the probability of one word of each.
struct Noise {
  std::vector<double> probabilities;
  std::optional<Multipliers> multipliers;  // none if the constraint leaves no choice
};

// Quadratically constrained entropy maximisation (QCEM, Eq. 5): the smoothest distribution near the
// data. It needs no iterative optimizer: the optimality condition is a tridiagonal system, solved
// in O(classes) without subtractions.
//
// Minimises ½ pᵀLp = ½ Σ (p_{i+1} − p_i)² subject to Σ m p = 1, p ≥ 0 and the budget. (The paper's
// Ω has a last row of zeros, which would add the square of the rarest word's p.) The multipliers
// satisfy L p + λ m w (p − d) = ν m; p ≥ 0 is never active (proof in docs/noise.md). A fraction of
// 1 is the uniform distribution.
Noise solve_qcem(const CountClasses& classes, const Budget& budget);

// The distribution of maximum entropy near the data (Eq. 4), which the paper considers too hard to
// solve and replaces by QCEM. Each probability is Lambert's W of two numbers that all share, so two
// nested scalar root searches solve it in O(classes).
//
// Maximises −Σ m p log p subject to Σ m p = 1 and the budget; p > 0 follows. The multipliers
// satisfy log p + λ w (p − d) = ν. A fraction of 1 is the uniform distribution.
Noise solve_max_entropy(const CountClasses& classes, const Budget& budget);

// Parts of the solvers. m·w for each class:
std::vector<double> class_weights(const CountClasses& classes, Precision precision);

// √(Σ weights (p − d)²).
double distance(const CountClasses& classes, const std::vector<double>& weights,
                const std::vector<double>& probabilities);

// The uniform distribution over the classes.
std::vector<double> uniform_noise(const CountClasses& classes);

// The root in low .. high of an increasing function, which may be infinite towards the ends, but
// not NaN. Starts at `guess`, as if the slope there were `slope`; then takes secant steps,
// safeguarded by bisection between the nearest points known on either side. Ends when
// |function| ≤ tolerance, or when rounding prevents progress, after at most 200 evaluations, and
// about 6 if the function is nearly linear. Returns a point near an end of the interval if the root
// is outside. The last evaluation is at the returned point, so side effects of `function` belong to
// it.
double increasing_root(const std::function<double(double)>& function, double low, double high,
                       double guess, double slope, double tolerance);

enum class NoiseKind {
  kUnigram,  // p ∝ count
  kPower,    // p ∝ count^a (word2vec: a = 0.75)
  kUniform,  // p = 1/n
  // The smoothest distribution near the unigram distribution (QCEM), and that of maximum entropy
  // near it, with Precision::kIsotropic and kRelative.
  kQcem,
  kQcemRelative,
  kEntropy,  // relative
  kEntropyIsotropic,
};

struct NoiseSettings {
  NoiseKind kind = NoiseKind::kPower;
  double power = 0.75;                // a, usually in 0 .. 1 (0: uniform, 1: unigram)
  std::optional<double> budget = {};  // Budget::fraction; default: usual_budget()
};

// The default budget of a noise that is solved for; nothing for the others.
// docs/experiments/noise.md explains the choice.
std::optional<Budget> usual_budget(NoiseKind kind);

// The probabilities, one for each count, with sum 1, and multipliers if the noise is solved for.
// `counts`, in any order, must be positive and not empty. Words with equal counts get equal
// probabilities.
Noise noise_distribution(const NoiseSettings& settings, const std::vector<int64_t>& counts);

}  // namespace acevec
