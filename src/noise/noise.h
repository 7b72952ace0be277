// Counts -> the distribution that negatives are drawn from.
//
// Some are solved for: the best p near the data's unigram distribution d, within the quadratic
// constraint Σ m w (p − d)² ≤ budget of Kekeç, Mimno and Tax 2019 (Eqs. 4, 5; w is the diagonal of
// their precision matrix Σ⁻¹).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace acevec {

// Words with equal counts are one class: they share one probability in every noise distribution,
// and a million words are a few thousand classes. All vectors but `of_word` have one number for
// each class, the most frequent class first.
struct CountClasses {
  std::vector<double> sizes;     // m, the number of words in a class
  std::vector<double> unigram;   // d, the share of one of its words in all counts; Σ m d = 1
  std::vector<int32_t> of_word;  // the class of each word, in the order of the counts
  double words = 0;              // n = Σ m

  size_t size() const { return sizes.size(); }
};

// `counts`, in any order, must be positive and not empty. O(words) when they are sorted, by falling
// count, as a vocabulary's are.
CountClasses count_classes(const std::vector<int64_t>& counts);

// w: how much a deviation of a word counts.
enum class Precision {
  kIsotropic,  // w = 1
  kRelative,   // w = 1/d, the precision of a count: its variance is in proportion to its mean
};

// The constraint. The fraction, 0 .. 1, is of the uniform distribution's Σ m w (1/n − d)², so that
// 0 allows nothing but the unigram distribution and 1 all up to the uniform one.
struct Budget {
  double fraction{};
  Precision precision{};
};

// Lagrange multipliers at the optimum: how much there is to gain from a looser constraint.
struct Multipliers {
  double budget;  // λ ≥ 0, of the quadratic constraint; 0 when it does not bind
  double sum;     // ν, of Σ m p = 1
};

// A distribution over words, or from a solver over classes: of one word of each.
struct Noise {
  std::vector<double> probabilities;
  std::optional<Multipliers> multipliers;  // none when the constraint leaves no choice
};

// Quadratically constrained entropy maximisation (QCEM, Eq. 5): the smoothest distribution near the
// data. No iterative program is needed: the optimality condition is a tridiagonal system, solved in
// O(classes) without a subtraction.
//
// Minimises ½ pᵀLp = ½ Σ (p_{i+1} − p_i)² subject to Σ m p = 1, p ≥ 0 and the budget. (The paper's
// Ω has a last row of zeros, which would add the square of the rarest word's p.) The multipliers
// satisfy L p + λ m w (p − d) = ν m; p ≥ 0 never binds (docs/noise.md has the proof). A fraction of
// 1 is the uniform distribution.
Noise solve_qcem(const CountClasses& classes, const Budget& budget);

// The distribution of the largest entropy near the data (Eq. 4), which the paper finds too hard to
// solve and replaces by QCEM. Each probability is Lambert's W of two numbers that all share, so
// that two nested scalar roots solve it in O(classes).
//
// Maximises −Σ m p log p subject to Σ m p = 1 and the budget; p > 0 by itself. The multipliers
// satisfy log p + λ w (p − d) = ν. A fraction of 1 is the uniform distribution.
Noise solve_max_entropy(const CountClasses& classes, const Budget& budget);

// The parts of the solvers. m·w for each class:
std::vector<double> class_weights(const CountClasses& classes, Precision precision);

// √(Σ weights (p − d)²).
double distance(const CountClasses& classes, const std::vector<double>& weights,
                const std::vector<double>& probabilities);

// The uniform distribution over the classes.
std::vector<double> uniform_noise(const CountClasses& classes);

// The root in low .. high of a function of one number, which increases and may be infinite towards
// the ends, not NaN. Starts at `guess`, as if the slope there were `slope`; from then on secants,
// kept between the nearest points known on either side by bisection. Ends when |function| ≤
// tolerance, or when rounding lets it come no nearer. Never more than 200 evaluations; about 6 when
// the function is nearly straight. Near an end of the interval when the root is outside. The last
// evaluation is at the number returned, so that what `function` leaves behind belongs to it.
double increasing_root(const std::function<double(double)>& function, double low, double high,
                       double guess, double slope, double tolerance);

enum class NoiseKind {
  kUnigram,  // p ∝ count
  kPower,    // p ∝ count^a (word2vec: a = 0.75)
  kUniform,  // p = 1/n
  // The smoothest near the unigram distribution (QCEM), and the one of largest entropy
  // near it, by distances of Precision::kIsotropic and kRelative.
  kQcem,
  kQcemRelative,
  kEntropy,  // relative
  kEntropyIsotropic,
};

struct NoiseSettings {
  NoiseKind kind = NoiseKind::kPower;
  double power = 0.75;                // a, in 0 .. 1 as a rule (0 is uniform, 1 unigram)
  std::optional<double> budget = {};  // Budget::fraction; by default that of usual_budget()
};

// The budget of a noise that is solved for; nothing for the others. docs/experiments/noise.md says
// how it was chosen.
std::optional<Budget> usual_budget(NoiseKind kind);

// The probabilities, one for each count, sum to 1; of noises that are solved for there are
// multipliers. `counts`, in any order, must be positive and not empty. Words with equal counts get
// equal probabilities.
Noise noise_distribution(const NoiseSettings& settings, const std::vector<int64_t>& counts);

}  // namespace acevec
