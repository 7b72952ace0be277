// How far a noise distribution p may be from the data's unigram distribution d: the quadratic
// constraint Σ m w (p − d)² ≤ budget of Kekeç, Mimno and Tax 2019 (Eqs. 4, 5; w is the diagonal of
// their precision matrix Σ⁻¹), shared by the distributions that are solved for.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "noise/count_classes.h"

namespace acevec {

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

// m·w for each class.
std::vector<double> class_weights(const CountClasses& classes, Precision precision);

// √(Σ weights (p − d)²).
double distance(const CountClasses& classes, const std::vector<double>& weights,
                const std::vector<double>& probabilities);

// True when the unigram distribution is the only one allowed, in double precision at least: a
// fraction below 1e-24 moves a probability by less than 1e-12 of what there is to move.
bool leaves_no_choice(const CountClasses& classes, const Budget& budget);

// The uniform distribution over the classes.
std::vector<double> uniform_noise(const CountClasses& classes);

// λ at which distance_at(λ), which falls from `farthest` at λ = 0 towards 0, is `wanted`, less than
// `farthest`; to a relative error of about 1e-11, or to rounding. `pull`: about what λ·distance
// comes to for large λ, for a first guess. The last call of distance_at has the λ returned.
double budget_multiplier(const std::function<double(double)>& distance_at, double farthest,
                         double wanted, double pull);

// The distribution as far from the data as the budget allows. A Solver is made of the classes and
// class_weights(); it has distance_at() and pull() as budget_multiplier() takes them, and then
// probabilities() and nu(), Multipliers::sum. `uniform_nu`: that of the uniform distribution.
template <class Solver>
Noise solve_within(const Budget& budget, const CountClasses& classes, double uniform_nu) {
  if (leaves_no_choice(classes, budget)) return {classes.unigram, {}};
  if (budget.fraction >= 1) return {uniform_noise(classes), Multipliers{0, uniform_nu}};
  const std::vector<double> weights = class_weights(classes, budget.precision);
  const double farthest = distance(classes, weights, uniform_noise(classes));
  const double wanted = std::sqrt(budget.fraction) * farthest;
  Solver solver(classes, weights);
  const double lambda = budget_multiplier([&](double trial) { return solver.distance_at(trial); },
                                          farthest, wanted, solver.pull());
  return {solver.probabilities(), Multipliers{lambda, solver.nu()}};
}

}  // namespace acevec
