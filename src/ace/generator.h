// The generator g_θ(y|x): a small network from a condition's features to one logit for each
// outcome, of which only some candidates are computed (ace-2018, section 4.1).
//
//   features of x (the discriminator's, frozen) → tanh layers → h,  logit(y) = h · w_y + b_y,
//
// plus β · s(x, y) if it starts from the critic: w and b are 0 at first, so it starts as softmax(β
// s), the ideal adversary of the present discriminator, and learns to improve on it.
#pragma once

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
  int64_t inputs;                       // features of a condition, without padding, ≥ 1
  std::vector<int64_t> hidden{32, 32};  // units of each layer; none: a linear softmax
  int64_t outcomes;                     // what it chooses from, ≥ 1
  OptimizerSettings optimizer;          // `ascend` is set by the generator itself
  uint64_t seed = 1;
  Stream stream = Stream::kUnnamed;  // of the random start; one for each generator of a run
  std::vector<float> biases = {};    // b_y at the start; none: 0
};

// θ and the moments of its optimizer.
struct GeneratorParameters {
  // Starts with random hidden layers and outputs of 0. Throws std::bad_alloc.
  explicit GeneratorParameters(const GeneratorSettings& settings);

  GeneratorSettings settings;
  std::vector<Matrix> layers, layer_moments;  // see DenseLayer
  Matrix outputs;  // outcome y: w_y, then b_y, which h meets with a constant 1
  Matrix output_moments;

  // Adds its matrices, under names that begin with `name`.
  void list(const std::string& name, std::vector<Parameter>& parameters);
};

// log p, at least about −69, for biases that begin as the noise.
std::vector<float> log_probabilities(const std::vector<double>& probabilities);

// Like a DenseLayer, either each thread has an object, or there is one, whose work a team of
// threads shares and whose results do not depend on the number of threads.
class Generator {
 public:
  // Takes at most `most_rows` conditions at once. With DenseLayer::kShared there may be any number
  // of candidates, which are worked on `block` at a time; that many outputs are kept from logits()
  // to learn(). With a team there are at most `block` candidates, or all outcomes.
  Generator(GeneratorParameters& parameters, int64_t most_rows, int64_t block,
            int threads = DenseLayer::kShared);

  int64_t feature_stride() const { return padded(parameters_.settings.inputs); }
  int64_t width() const { return parameters_.outputs.stride(); }  // floats in a row h

  // Returns h for `rows` conditions: rows × width(), with the constant 1 behind the last unit,
  // valid until the next call. `features`: rows of feature_stride() floats, aligned or not.
  const float* hidden(const float* features, int64_t rows);

  // Number k of row i, without gaps, is h_i · w_k + b_k of candidate k (+ beta times the same
  // number of `prior` unless that is null). h: what hidden() gave, just now or, for speed, some
  // time ago; aligned. Candidates of null: all outcomes, in order.
  void logits(const float* h, int64_t rows, RowIds candidates, const float* prior, float beta,
              float* logits);

  // Takes one step of all of θ up the objective J whose gradient with respect to the logits is
  // given, for the candidates of the last logits() and the conditions of the last hidden(), whose
  // features are given again. An outcome that occurs twice among `block` candidates takes one step
  // of the sum.
  void learn(const float* features, const float* logit_gradient);

 private:
  const float* outputs(int64_t begin, int64_t end);
  void take_candidates(RowIds candidates);
  void find_repeats();
  void learn_outputs(const float* logit_gradient);
  void learn_shared_outputs(const float* logit_gradient, int64_t begin, int64_t end);
  void step_outputs(const float* logit_gradient, int64_t begin, int64_t end, float* changes);

  // A candidate that stands at an earlier place too.
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
  std::vector<int32_t> candidates_;  // of the last logits()
  std::vector<int32_t> places_;      // of each outcome among them, while repeats are looked for
  std::vector<Repeat> repeats_;      // with a team
  int64_t rows_ = 0;                 // of the last hidden()
  AlignedFloats linear_;             // h when there is no hidden layer
  const float* hidden_ = nullptr;    // h of the last hidden()
  AlignedFloats outputs_;            // of the block of candidates at hand
  AlignedFloats output_changes_;
  std::vector<AlignedFloats> gradients_;  // dJ/dy of each layer
};

// A cache of the generator's hidden vector h of each condition x. h depends on x alone and changes
// slowly, a frequent x occurs in many blocks, and the hidden layers are the most expensive part of
// the generator's work on a block.
//
// One object per thread. The table, shared as told in kernels/hogwild.h, has a row h for each
// condition, as wide as GeneratorParameters::outputs. Rows of zeros, as it has them at first, give
// logits of 0 + β · prior: until its turn comes a condition plays its prior. Read it with
// gather_rows() and give the rows to Generator::logits().
class HiddenTable {
 public:
  // `features`: a row for each condition, of which those of this thread's turns are read in steps
  // of `rows` from condition `first` on, round and round.
  HiddenTable(Matrix& table, const Matrix& features, int64_t rows, int64_t first);

  // Computes h anew for the next conditions. `generator`: the thread's, made for as many rows; the
  // hidden() that its learn() needs must come after this.
  void refresh(Generator& generator);

  // The next condition; the table itself is the caller's.
  void save(CheckpointWriter& file) const { file.put("next condition", next_); }
  void load(CheckpointReader& file);

 private:
  Matrix& table_;
  const Matrix& features_;
  int64_t next_;
  std::vector<int32_t> ids_;
  AlignedFloats inputs_;  // features of ids_
};

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

// The generator over all outcomes instead of some candidates: for small sets of outcomes, and for
// batches of conditions with many draws each.
//
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
