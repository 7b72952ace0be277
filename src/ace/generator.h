// The generator g_θ(y|x): a small network from a condition's features to a logit for each outcome,
// computed only for some candidates (ace-2018, section 4.1).
//
//   features of x (the discriminator's, frozen) → tanh layers → h,  logit(y) = h · w_y + b_y,
//
// plus β · s(x, y) if it has the critic's prior. w and b are initially 0, so it starts as
// softmax(β s), the optimal adversary of the present discriminator, and learns to improve on it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ace/policy.h"
#include "base/random.h"
#include "kernels/hogwild.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "nn/layer.h"
#include "optim/optimizer.h"
#include "optim/step_rows.h"

namespace acevec {

struct GeneratorSettings {
  int64_t inputs;                       // features of a condition, unpadded, ≥ 1
  std::vector<int64_t> hidden{32, 32};  // units of each layer; none: a linear softmax
  int64_t outcomes;                     // number of outcomes, ≥ 1
  OptimizerSettings optimizer;          // `ascend` is set by the generator
  uint64_t seed = 1;
  Stream stream = Stream::kUnnamed;  // for initialisation; one per generator of a run
  std::vector<float> biases = {};    // initial b_y; empty: 0
};

// θ and its optimizer moments.
struct GeneratorParameters {
  // Initialises hidden layers at random and outputs to 0. Throws std::bad_alloc.
  explicit GeneratorParameters(const GeneratorSettings& settings);

  GeneratorSettings settings;
  std::vector<Matrix> layers, layer_moments;  // see DenseLayer
  Matrix outputs;  // row y: w_y, then b_y, which is multiplied by a constant 1 in h
  Matrix output_moments;

  // Adds its matrices, under names that begin with `name`.
  void list(const std::string& name, std::vector<Parameter>& parameters);
};

// log p, at least about −69: biases that start g at the noise distribution.
std::vector<float> log_probabilities(const std::vector<double>& probabilities);

// Like a DenseLayer, either each thread has an object, or a team of threads shares one.
class Generator {
 public:
  // At most `most_rows` conditions at once. With DenseLayer::kShared there may be any number of
  // candidates, which are processed `block` at a time; a single block's outputs are kept from
  // logits() to learn(). With a team there are at most `block` candidates, or all outcomes.
  Generator(GeneratorParameters& parameters, int64_t most_rows, int64_t block,
            int threads = DenseLayer::kShared);

  int64_t feature_stride() const { return padded(parameters_.settings.inputs); }
  int64_t width() const { return parameters_.outputs.stride(); }  // floats in a row h

  // Returns h for `rows` conditions: rows × width(), with the constant 1 after the last unit, valid
  // until the next call. `features`: rows of feature_stride() floats, aligned or not.
  const float* hidden(const float* features, int64_t rows);

  // Sets logits, rows × candidates without gaps, to h_i · w_k + b_k of candidate k, plus `beta`
  // times the same element of `prior` unless that is null. h: from hidden(), possibly of an earlier
  // call; aligned. Null candidates: all outcomes, in order.
  void logits(const float* h, int64_t rows, RowIds candidates, const float* prior, float beta,
              float* logits);

  // Takes a step of all of θ up the objective J, given its gradient with respect to the logits, for
  // the candidates of the last logits() and the conditions of the last hidden(), with its features.
  // An outcome that occurs twice among `block` candidates takes one step of the sum.
  void learn(const float* features, const float* logit_gradient);

 private:
  const float* outputs(int64_t begin, int64_t end);
  void take_candidates(RowIds candidates);
  void find_repeats();
  void learn_outputs(const float* logit_gradient);
  void learn_shared_outputs(const float* logit_gradient, int64_t begin, int64_t end);
  void step_outputs(const float* logit_gradient, int64_t begin, int64_t end, float* changes);

  // A candidate that repeats an earlier one.
  struct Repeat {
    int32_t first;
    int32_t place;
  };

  GeneratorParameters& parameters_;
  std::vector<DenseLayer> layers_;
  std::optional<RowSteps> output_steps_;  // with kShared
  int64_t block_;
  int threads_;
  bool all_ = false;                 // the candidates are all outcomes
  std::vector<int32_t> candidates_;  // candidates of the last logits()
  std::vector<int32_t> places_;      // each outcome's index among them, during find_repeats()
  std::vector<Repeat> repeats_;      // with a team
  int64_t rows_ = 0;                 // rows of the last hidden()
  AlignedFloats linear_;             // h when there is no hidden layer
  const float* hidden_ = nullptr;    // h of the last hidden()
  AlignedFloats outputs_;            // outputs of the current block of candidates
  AlignedFloats output_changes_;
  std::vector<AlignedFloats> gradients_;  // dJ/dy of each layer
};

// A cache of the generator's hidden vector h of each condition x. h depends on x alone and changes
// slowly, a frequent x occurs in many blocks, and the hidden layers are the most expensive part of
// the generator's work on a block.
//
// One object per thread. The table, shared as described in kernels/hogwild.h, has a row h for each
// condition, as wide as GeneratorParameters::outputs. Rows of zeros, its initial state, give logits
// of 0 + β · prior: until its turn a condition uses its prior. Read it with gather_rows() and pass
// the rows to Generator::logits().
class HiddenTable {
 public:
  // `features`: a row for each condition. This thread's turns take `rows` of them at a time,
  // cyclically from condition `first` on.
  HiddenTable(Matrix& table, const Matrix& features, int64_t rows, int64_t first);

  // Recomputes h for the next conditions. `generator`: the thread's, for at least `rows`
  // conditions; the hidden() that its learn() needs must come after this.
  void refresh(Generator& generator);

  // Save and restore the next condition; the caller saves the table.
  void save(CheckpointWriter& file) const { file.put("next condition", next_); }
  void load(CheckpointReader& file) {
    next_ = std::clamp<int64_t>(file.get<int64_t>("next condition"), 0, table_.rows() - 1);
  }

 private:
  Matrix& table_;
  const Matrix& features_;
  int64_t next_;
  std::vector<int32_t> ids_;
  AlignedFloats inputs_;  // features of the rows ids_
};

// The input of FullSoftmax::learn(), for the conditions of the last FullSoftmax::compute().
struct FullTurn {
  const float* features;  // see Generator::hidden()
  const float* rewards;   // rows × outcomes, −penalty where (x, y) was observed
  // Not used by kExact:
  const int32_t* drawn = nullptr;  // rows × count outcomes drawn from g; −1: ignored
  int64_t count = 0;
  const int32_t* noise = nullptr;  // for kOffPolicy: rows × count outcomes drawn from the noise,
  const double* noise_probabilities = nullptr;  // and p(y) of every outcome
};

// The generator over all outcomes instead of candidates: for small sets of outcomes, and for
// batches of conditions with many draws each.
//
// Like a Generator, either each thread has an object with its own conditions, or a team shares one.
// It needs 2 × most_rows × outcomes floats.
//
// A turn: compute(), then draw() and rewards for the draws, then learn(). To avoid drawing observed
// outcomes, call leave_out() after learning, and draw then.
class FullSoftmax {
 public:
  // Outcomes that the generator processes at a time: their data fits in the L2 cache.
  static constexpr int64_t kBlock = 512;

  FullSoftmax(GeneratorParameters& parameters, int64_t most_rows,
              int threads = DenseLayer::kShared);

  // Computes g(·|x) for `rows` conditions. `features`: as for Generator::hidden(); `prior`: scores
  // of all outcomes, rows × outcomes, multiplied by `beta`; may be null.
  void compute(const float* features, int64_t rows, const float* prior, float beta);

  int64_t outcomes() const { return outcomes_; }
  const float* probabilities(int64_t row) const { return g_.data() + row * outcomes(); }
  float entropy(int64_t row) const { return entropies_[static_cast<size_t>(row)]; }  // nats

  // Draws `count` outcomes from g(·|x) of a row, in increasing order; −1 if g is all zeros. Threads
  // may draw for several rows at once, each with its own `random`.
  void draw(int64_t row, int64_t count, Random& random, int32_t* drawn) const {
    draw_outcomes(probabilities(row), outcomes(), count, random, drawn);
  }

  // Sets g to 0 where `observed`, rows × outcomes, is not 0, and renormalises the rest. Returns the
  // removed part of g, summed over the rows.
  double leave_out(const uint8_t* observed);

  // Takes one step of θ up the sum over the rows of the objective of policy.h. kExact uses the
  // expectation over all outcomes; the others use the mean over each row's draws of the terms of
  // policy_gradient(), with importance weights g/p clipped alike.
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
