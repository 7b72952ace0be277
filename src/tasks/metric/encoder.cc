#include "tasks/metric/encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// Vectors of a batch that a thread scales together.
constexpr int64_t kScaled = 32;

// to = from at length 1; a vector of zeros stays. Returns the length.
float scale_to_one(const float* from, int64_t size, float* to) {
  const auto length = static_cast<float>(std::sqrt(dot(from, from, size)));
  const float factor = length > 0 ? 1 / length : 0;
  for (int64_t k = 0; k < size; ++k) to[k] = factor * from[k];
  return length;
}

}  // namespace

std::vector<int64_t> EncoderShape::layers() const {
  std::vector<int64_t> widths{inputs};
  widths.insert(widths.end(), hidden.begin(), hidden.end());
  widths.push_back(size);
  return widths;
}

Encoder::Encoder(const EncoderShape& wanted)
    : shape(wanted), mean(static_cast<size_t>(wanted.inputs)) {
  const std::vector<int64_t> widths = shape.layers();
  for (size_t i = 0; i + 1 < widths.size(); ++i) layers.emplace_back(widths[i] + 1, widths[i + 1]);
}

int64_t Encoder::bytes(const EncoderShape& shape) {
  const std::vector<int64_t> widths = shape.layers();
  int64_t sum = shape.inputs * kFloatSize;
  for (size_t i = 0; i + 1 < widths.size(); ++i) {
    sum += (widths[i] + 1) * padded(widths[i + 1]) * kFloatSize;
  }
  return sum;
}

void Encoder::standardise(const float* point, float* to) const {
  for (size_t k = 0; k < mean.size(); ++k) to[k] = scale * (point[k] - mean[k]);
}

void start_encoder(Encoder& encoder, const Matrix& points, uint64_t seed) {
  const std::vector<int64_t> widths = encoder.shape.layers();
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    Random random(seed, Stream::kMetricStart, static_cast<int64_t>(i));
    encoder.layers[i] = DenseLayer::parameters(widths[i], widths[i + 1], widths[i + 1], random);
  }
  const auto count = static_cast<double>(points.rows());
  const auto columns = static_cast<size_t>(points.columns());
  std::vector<double> sums(columns);
  for (int64_t i = 0; i < points.rows(); ++i) {
    for (size_t k = 0; k < columns; ++k) sums[k] += double{points.row(i)[k]};
  }
  for (size_t k = 0; k < columns; ++k) encoder.mean[k] = static_cast<float>(sums[k] / count);
  double squares = 0;
  for (int64_t i = 0; i < points.rows(); ++i) {
    for (size_t k = 0; k < columns; ++k) {
      const double difference = double{points.row(i)[k]} - double{encoder.mean[k]};
      squares += difference * difference;
    }
  }
  const double variance = squares / count / static_cast<double>(columns);
  constexpr double kMost = double{std::numeric_limits<float>::max()};
  encoder.scale = variance > 0 ? static_cast<float>(std::min(1 / std::sqrt(variance), kMost)) : 1;
}

Matrix encode(const Encoder& encoder, const Matrix& points, int threads) {
  constexpr int64_t kRows = 256;  // that a thread encodes at a time
  const EncoderShape& shape = encoder.shape;
  Matrix vectors(points.rows(), shape.size);
  int64_t widest = padded(shape.inputs);
  for (const Matrix& layer : encoder.layers) widest = std::max(widest, layer.stride());
  for_each_piece(threads, (points.rows() + kRows - 1) / kRows, [&](int, int64_t piece) {
    const int64_t first = piece * kRows;
    const int64_t rows = std::min(kRows, points.rows() - first);
    AlignedFloats x(rows * widest), y(rows * widest);
    int64_t stride = padded(shape.inputs);
    for (int64_t i = 0; i < rows; ++i) {
      encoder.standardise(points.row(first + i), x.data() + i * stride);
    }
    for (size_t i = 0; i < encoder.layers.size(); ++i) {
      const Matrix& layer = encoder.layers[i];
      DenseLayer::apply({layer.row(0), layer.rows() - 1, layer.stride(), encoder.activation(i)},
                        x.data(), stride, rows, y.data());
      std::swap(x, y);
      stride = layer.stride();
    }
    for (int64_t i = 0; i < rows; ++i) {
      float* const row = x.data() + i * stride;
      if (!std::isfinite(scale_to_one(row, shape.size, vectors.row(first + i)))) {
        throw Error(format("point %ld has numbers that are too large for the model; leave it out",
                           static_cast<long>(first + i + 1)));
      }
    }
  });
  return vectors;
}

int64_t EncoderBatch::bytes(const EncoderShape& shape, const OptimizerSettings& settings,
                            int64_t most_rows, int threads) {
  const std::vector<int64_t> widths = shape.layers();
  int64_t sum = most_rows * (padded(shape.size) + padded(shape.inputs)) * kFloatSize;
  for (size_t i = 0; i + 1 < widths.size(); ++i) {
    const int64_t width = padded(widths[i + 1]);
    sum += DenseLayer::bytes(widths[i], width, settings, most_rows, threads) +
           most_rows * width * kFloatSize;
  }
  return sum;
}

EncoderBatch::EncoderBatch(Encoder& encoder, std::vector<Matrix>& moments,
                           const OptimizerSettings& settings, int64_t most_rows, int threads)
    : sources_(encoder.layers.size()),
      input_stride_(padded(encoder.shape.inputs)),
      threads_(threads),
      inputs_(most_rows * input_stride_),
      vectors_(most_rows * padded(encoder.shape.size)),
      lengths_(static_cast<size_t>(most_rows)) {
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    layers_.emplace_back(encoder.layers[i], moments[i], settings, most_rows, encoder.activation(i),
                         threads);
    gradients_.emplace_back(most_rows * layers_.back().width());
  }
}

const float* EncoderBatch::forward(int64_t rows) {
  rows_ = rows;
  const float* x = inputs_.data();
  int64_t stride = input_stride_;
  for (size_t i = 0; i < layers_.size(); ++i) {
    sources_[i] = x;
    x = layers_[i].forward(x, stride, rows);
    stride = layers_[i].width();
  }
  in_blocks(threads_, rows, kScaled, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      lengths_[static_cast<size_t>(i)] =
          scale_to_one(x + i * stride, stride, vectors_.data() + i * stride);
    }
  });
  return vectors_.data();
}

// dL/de of e = z / |z| becomes dL/dz = (dL/de − (dL/de · e) e) / |z|.
void EncoderBatch::push_through_norm(int64_t row) {
  float* const g = gradient() + row * width();
  const float* const e = vectors_.data() + row * width();
  const auto along = static_cast<float>(dot(g, e, width()));
  const float length = lengths_[static_cast<size_t>(row)];
  const float factor = length > 0 ? 1 / length : 0;
  for (int64_t k = 0; k < width(); ++k) g[k] = factor * (g[k] - along * e[k]);
}

void EncoderBatch::backward(float rate) {
  in_blocks(threads_, rows_, kScaled, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) push_through_norm(i);
  });
  for (size_t i = layers_.size(); i-- > 0;) {
    const int64_t stride = i == 0 ? input_stride_ : layers_[i - 1].width();
    float* const below = i == 0 ? nullptr : gradients_[i - 1].data();
    layers_[i].set_rate(rate);
    layers_[i].backward(sources_[i], stride, rows_, gradients_[i].data(), below);
  }
}

}  // namespace acevec
