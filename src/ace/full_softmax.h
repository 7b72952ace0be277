// The generator over all outcomes instead of some candidates: for small sets of outcomes, and for
// batches of conditions with many draws each.
#pragma once

#include <cstdint>
#include <vector>

#include "ace/generator.h"
#include "ace/policy.h"
#include "base/random.h"

namespace acevec {

// One object per thread, each with its own conditions; they share the generator. It needs
// most_rows × outcomes floats twice.
//
// A turn: compute(), then draw() and rewards for what was drawn, then one learn. Who wants no draws
// of observed outcomes calls leave_out() after learning, and draws then.
class FullSoftmax {
 public:
  // Outcomes that the generator works on at a time: what they need stays in the second cache.
  static constexpr int64_t kBlock = 512;

  FullSoftmax(GeneratorParameters& parameters, int64_t most_rows);

  // What one object needs, in bytes.
  static int64_t bytes(const GeneratorSettings& settings, int64_t most_rows);

  // g(·|x) for `rows` conditions. `features` as for Generator::hidden(); `prior`: scores of all
  // outcomes, rows × outcomes, times `beta`, or null.
  void compute(const float* features, int64_t rows, const float* prior, float beta);

  int64_t outcomes() const { return static_cast<int64_t>(all_.size()); }
  const float* probabilities(int64_t row) const { return g_.data() + row * outcomes(); }
  float entropy(int64_t row) const { return entropies_[static_cast<size_t>(row)]; }  // nats

  // `count` outcomes drawn from g(·|x) of one row, in increasing order; −1 where g is all zeros.
  void draw(int64_t row, int64_t count, Random& random, int32_t* drawn) const {
    draw_outcomes(probabilities(row), outcomes(), count, random, drawn);
  }

  // g becomes 0 where `observed`, rows × outcomes, is not 0, and what is left is renormalised.
  // Returns the part of g that was left out, summed over the rows.
  double leave_out(const uint8_t* observed);

  // One REINFORCE step of θ up Σ over the rows of the objective of policy.h (Eq. 6), from `count`
  // draws for each row, drawn[i · count + j], and what they are worth: weights[i · count + j] =
  // reward − baseline, times g/p where a draw is not from g but from a noise p. The mean over a
  // row's draws is taken. Draws of −1 are left out.
  void learn(const float* features, const int32_t* drawn, const float* weights, int64_t count,
             double entropy_floor);

  // The same from the rewards of all outcomes, rows × outcomes: no draws, no variance. Returns the
  // sum of the rows' expected rewards.
  double learn_exactly(const float* features, const float* rewards, double entropy_floor);

 private:
  void climb(const float* features, double entropy_floor);

  Generator generator_;
  std::vector<int32_t> all_;  // every outcome
  int64_t rows_ = 0;
  std::vector<float> g_, gradient_;  // rows × outcomes
  std::vector<float> entropies_;
};

}  // namespace acevec
