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

#include "base/random.h"
#include "kernels/hogwild.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "nn/layer.h"
#include "optim/optimizer.h"
#include "optim/row_steps.h"

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

}  // namespace acevec
