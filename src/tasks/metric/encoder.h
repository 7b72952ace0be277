// The encoder: layers that map a point's numbers to a vector of length 1. Hidden layers are
// rectified linear units. Its file, in the container of base/checkpoint_file.h, has "acevec metric"
// (the version), "shape", "hidden", "mean", "scale" and the layers' matrices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "nn/layer.h"

namespace acevec {

struct EncoderShape {
  int64_t inputs{};                       // numbers in a point
  std::vector<int64_t> hidden{512, 256};  // units of each hidden layer; empty: a linear encoder
  int64_t size = 32;                      // dimension of the vectors

  // Widths from inputs to size.
  std::vector<int64_t> layers() const {
    std::vector<int64_t> widths{inputs};
    widths.insert(widths.end(), hidden.begin(), hidden.end());
    widths.push_back(size);
    return widths;
  }
};

struct Encoder {
  // All layers are zero, and points are not standardised. Throws std::bad_alloc.
  explicit Encoder(const EncoderShape& wanted);

  static constexpr int64_t kPointsPerBlock = 256;  // points that a thread encodes at once

  EncoderShape shape;
  std::vector<float> mean;      // the first layer gets (point − mean) · scale
  std::vector<float> scale{1};  // one for all numbers, or one for each
  std::vector<Matrix> layers;   // see DenseLayer

  Activation activation(size_t layer) const {
    return layer + 1 == layers.size() ? Activation::kNone : Activation::kRelu;
  }
  // Writes the standardised point, shape.inputs numbers; `to` may be `point`.
  void standardise(const float* point, float* to) const {
    const size_t step = scale.size() == mean.size() ? 1 : 0;
    for (size_t k = 0; k < mean.size(); ++k) to[k] = scale[k * step] * (point[k] - mean[k]);
  }
};

// Initialises the layers at random, and sets the mean and scale of these points. All numbers share
// one scale, so that those that hardly vary, such as an image's corners, are not amplified.
void start_encoder(Encoder& encoder, const Matrix& points, uint64_t seed);

// After start_encoder(), gives each column of these points a scale of its own if their units differ
// (column_units.h), so that none drowns the others; a column that never varies has 0. Returns
// whether they differ.
bool scale_columns(Encoder& encoder, const Matrix& points);

// The vectors of all points, a row each. The encoder must not change in the meantime.
Matrix encode(const Encoder& encoder, const Matrix& points, int threads);

// The forward and backward pass of a batch, by a team of threads.
class EncoderBatch {
 public:
  // `moments`: one matrix per layer, see Optimizer. All must outlive the object.
  EncoderBatch(Encoder& encoder, std::vector<Matrix>& moments, const OptimizerSettings& settings,
               int64_t most_rows, int threads);

  // The input row of the batch's point `row`; fill it, standardised, before forward().
  float* input(int64_t row) { return inputs_.data() + row * input_stride_; }

  // The vectors of the first `rows` points: rows × width(), 0 in the padding.
  const float* forward(int64_t rows);
  int64_t width() const { return layers_.back().width(); }

  // dL/dvectors, rows × width(); fill it before backward(), which takes one step of all layers.
  float* gradient() { return gradients_.back().data(); }
  void backward(float rate);

 private:
  std::vector<DenseLayer> layers_;
  std::vector<AlignedFloats> gradients_;  // dL/dy of each layer
  std::vector<const float*> sources_;     // input of each layer
  int64_t input_stride_;
  int threads_;
  AlignedFloats inputs_;
  AlignedFloats vectors_;       // normalised outputs
  std::vector<float> lengths_;  // lengths before normalisation
  int64_t rows_ = 0;
};

// The caller commits the file. Throws Error if a number is not finite or writing fails.
void write_encoder(const Encoder& encoder, CheckpointWriter& file);

// Throws Error if the file is not an encoder, or is truncated or damaged.
Encoder read_encoder(const std::string& path);

}  // namespace acevec
