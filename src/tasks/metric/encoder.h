// The encoder: layers from the numbers of a point to its vector, of length 1. Hidden layers are
// rectified linear units. It is written as one file: the container of base/checkpoint_file.h, whose
// checksum tells a damaged one, with these parts: "acevec metric" (the version), "shape", "hidden",
// "mean", "scale" and the layers' matrices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "nn/layer.h"
#include "optim/optimizer.h"

namespace acevec {

struct EncoderShape {
  int64_t inputs{};                       // numbers of a point
  std::vector<int64_t> hidden{512, 256};  // units of each hidden layer; none: the encoder is linear
  int64_t size = 32;                      // of a vector

  std::vector<int64_t> layers() const;  // widths from inputs to size
};

struct Encoder {
  // All layers are zeros, and points are taken as they are. Throws std::bad_alloc.
  explicit Encoder(const EncoderShape& wanted);

  static constexpr int64_t kPointsPerBlock = 256;  // points that a thread encodes at a time

  EncoderShape shape;
  // Points come to the first layer as (point − mean) · scale.
  std::vector<float> mean;
  float scale = 1;
  std::vector<Matrix> layers;  // see DenseLayer

  Activation activation(size_t layer) const {
    return layer + 1 == layers.size() ? Activation::kNone : Activation::kRelu;
  }
  // to[k] = the standardised point, of shape.inputs numbers; `to` may be `point`.
  void standardise(const float* point, float* to) const;
};

// Random layers, and the mean and one standard deviation of these points. One for all numbers of a
// point, so that those that hardly vary, such as an image's corners, are not blown up.
void start_encoder(Encoder& encoder, const Matrix& points, uint64_t seed);

// The vectors of all points, a row each. The encoder must not change meanwhile.
Matrix encode(const Encoder& encoder, const Matrix& points, int threads);

// The forward and backward pass of a batch, by a team of threads.
class EncoderBatch {
 public:
  // `moments`: of each layer, see Optimizer. All must outlive it.
  EncoderBatch(Encoder& encoder, std::vector<Matrix>& moments, const OptimizerSettings& settings,
               int64_t most_rows, int threads);

  // Where the numbers of the batch's point `row` go, standardised, before forward().
  float* input(int64_t row) { return inputs_.data() + row * input_stride_; }

  // The vectors of the first `rows` points: rows × width(), 0 in the padding.
  const float* forward(int64_t rows);
  int64_t width() const { return layers_.back().width(); }

  // dL/dvectors, rows × width(), to be filled before backward(), which takes one step of all layers
  // down the loss.
  float* gradient() { return gradients_.back().data(); }
  void backward(float rate);

 private:
  std::vector<DenseLayer> layers_;
  std::vector<AlignedFloats> gradients_;  // dL/dy of each layer
  std::vector<const float*> sources_;     // what went into each layer
  int64_t input_stride_;
  int threads_;
  AlignedFloats inputs_;
  AlignedFloats vectors_;       // of length 1
  std::vector<float> lengths_;  // before
  int64_t rows_ = 0;
};

// The caller commits the file. Throws Error when a number is not finite, and when the file cannot
// be written.
void write_encoder(const Encoder& encoder, CheckpointWriter& file);

// Throws Error when the file is something else, cut short or damaged.
Encoder read_encoder(const std::string& path);

}  // namespace acevec
