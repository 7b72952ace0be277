// The generator over all outcomes instead of some candidates: for small sets of outcomes, and for
// batches of conditions with many draws each.
#pragma once

#include <cstdint>
#include <vector>

#include "ace/generator.h"
#include "ace/policy.h"
#include "base/random.h"

namespace acevec {

// The input of a turn's learning, for the conditions of the last FullSoftmax::compute().
struct FullTurn {
  const float* features;  // as for Generator::hidden()
  const float* rewards;   // rows × outcomes, −penalty where (x, y) was observed
  // The rest is not for kExact.
  const int32_t* drawn = nullptr;  // rows × count outcomes drawn from g; −1: left out
  int64_t count = 0;
  const int32_t* noise = nullptr;  // for kOffPolicy rows × count outcomes drawn from the noise,
  const double* noise_probabilities = nullptr;  // and p(y) of every outcome
};

// Like a Generator, either each thread has an object with its own conditions, or a team shares one.
// It needs most_rows × outcomes floats twice.
//
// A turn: compute(), then draw() and rewards for the draws, then learn(). To avoid draws of
// observed outcomes, call leave_out() after learning, and draw then.
class FullSoftmax {
 public:
  // Outcomes that the generator works on at a time: what they need stays in the second cache.
  static constexpr int64_t kBlock = 512;

  FullSoftmax(GeneratorParameters& parameters, int64_t most_rows,
              int threads = DenseLayer::kShared);

  // Computes g(·|x) for `rows` conditions. `features` as for Generator::hidden(); `prior`: scores
  // of all outcomes, rows × outcomes, times `beta`, or null.
  void compute(const float* features, int64_t rows, const float* prior, float beta);

  int64_t outcomes() const { return outcomes_; }
  const float* probabilities(int64_t row) const { return g_.data() + row * outcomes(); }
  float entropy(int64_t row) const { return entropies_[static_cast<size_t>(row)]; }  // nats

  // `count` outcomes drawn from g(·|x) of one row, in increasing order; −1 where g is all zeros.
  // Threads may draw for several rows at once, each with its own `random`.
  void draw(int64_t row, int64_t count, Random& random, int32_t* drawn) const {
    draw_outcomes(probabilities(row), outcomes(), count, random, drawn);
  }

  // Sets g to 0 where `observed`, rows × outcomes, is not 0, and renormalises the rest. Returns the
  // part of g that was left out, summed over the rows.
  double leave_out(const uint8_t* observed);

  // Takes one step of θ up Σ over the rows of the objective of policy.h. kExact: from the
  // expectation over all outcomes; else from the mean over the draws of each row, the terms of
  // policy_gradient(), which cuts the importance weights g/p alike.
  void learn(const PolicySettings& policy, const FullTurn& turn);

 private:
  void sum_draws(const PolicySettings& policy, const FullTurn& turn, int64_t row);

  Generator generator_;
  int64_t outcomes_;
  int threads_;
  int64_t rows_ = 0;
  std::vector<float> g_, gradient_;  // rows × outcomes
  std::vector<float> entropies_;
};

}  // namespace acevec
