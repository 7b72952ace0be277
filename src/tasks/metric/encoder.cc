#include "tasks/metric/encoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "tasks/metric/column_units.h"
#include "train/model_container.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

constexpr int64_t kScaled = 32;  // vectors of a batch that a thread normalises at once

// Normalises `from` into `to`; a zero vector is unchanged. Returns the length.
float scale_to_one(const float* from, int64_t size, float* to) {
  const auto length = static_cast<float>(std::sqrt(dot(from, from, size)));
  const float factor = length > 0 ? 1 / length : 0;
  for (int64_t k = 0; k < size; ++k) to[k] = factor * from[k];
  return length;
}

constexpr ModelKind kKind{"acevec metric", 1};
constexpr int64_t kWidest = 1 << 20;  // most units of a layer
constexpr size_t kMostHidden = 64;    // most hidden layers

// The last two could be 0 in models of acevec 0.2.0.
struct Shape {
  int64_t inputs, size;
  int64_t rectified = 1, unit = 1;
};

std::string name_of_layer(size_t i) {
  return "layer " + std::to_string(i);
}

bool is_width(int64_t units) {
  return units >= 1 && units <= kWidest;
}

float finite(double scale) {
  return static_cast<float>(std::min(scale, double{std::numeric_limits<float>::max()}));
}

Encoder read(CheckpointReader& file) {
  const auto shape = file.get<Shape>("shape");
  EncoderShape wanted{shape.inputs, {}, shape.size};
  file.get("hidden", wanted.hidden);
  require_possible(is_width(shape.inputs) && is_width(shape.size));
  require_possible(shape.rectified == 1 && shape.unit == 1);
  require_possible(wanted.hidden.size() <= kMostHidden &&
                   std::all_of(wanted.hidden.begin(), wanted.hidden.end(), is_width));
  int64_t numbers = shape.inputs;  // a lower bound: the file also has padding
  const std::vector<int64_t> widths = wanted.layers();
  for (size_t i = 0; i + 1 < widths.size(); ++i) numbers += (widths[i] + 1) * widths[i + 1];
  require_room(numbers, file);
  Encoder encoder(wanted);
  get_trained("mean", encoder.mean, file);
  get_trained("scale", encoder.scale, file);
  require_possible(std::ssize(encoder.mean) == shape.inputs &&
                   (encoder.scale.size() == 1 || encoder.scale.size() == encoder.mean.size()));
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    get_trained(name_of_layer(i), encoder.layers[i], file);
  }
  return encoder;
}

}  // namespace

Encoder::Encoder(const EncoderShape& wanted)
    : shape(wanted), mean(static_cast<size_t>(wanted.inputs)) {
  const std::vector<int64_t> widths = shape.layers();
  for (size_t i = 0; i + 1 < widths.size(); ++i) layers.emplace_back(widths[i] + 1, widths[i + 1]);
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
  encoder.scale = {variance > 0 ? finite(1 / std::sqrt(variance)) : 1.0F};
}

bool scale_columns(Encoder& encoder, const Matrix& points) {
  const std::vector<ColumnUnit> units = column_units(points, encoder.mean);
  if (!differ(units)) return false;
  double variance = 0;  // of all numbers in these units
  for (const ColumnUnit& unit : units) variance += unit.share / static_cast<double>(units.size());
  const double usual = 1 / std::sqrt(variance);
  encoder.scale.clear();
  for (const ColumnUnit& unit : units) {
    encoder.scale.push_back(unit.size > 0 ? finite(usual / unit.size) : 0);
  }
  return true;
}

Matrix encode(const Encoder& encoder, const Matrix& points, int threads) {
  constexpr int64_t kRows = Encoder::kPointsPerBlock;
  const EncoderShape& shape = encoder.shape;
  Matrix vectors(points.rows(), shape.size);
  const std::vector<int64_t> widths = shape.layers();
  const int64_t widest = padded(*std::max_element(widths.begin(), widths.end()));
  std::vector<std::array<AlignedFloats, 2>> buffers(static_cast<size_t>(std::max(threads, 1)));
  for_each_piece(threads, (points.rows() + kRows - 1) / kRows, [&](int thread, int64_t piece) {
    const int64_t first = piece * kRows;
    const int64_t rows = std::min(kRows, points.rows() - first);
    auto& [x, y] = buffers[static_cast<size_t>(thread)];
    x.grow(kRows * widest);
    y.grow(kRows * widest);
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

void EncoderBatch::backward(float rate) {
  in_blocks(threads_, rows_, kScaled, [&](int64_t begin, int64_t end) {
    // dL/de of e = z / |z| becomes dL/dz = (dL/de − (dL/de · e) e) / |z|.
    for (int64_t i = begin; i < end; ++i) {
      float* const g = gradient() + i * width();
      const float* const e = vectors_.data() + i * width();
      const auto along = static_cast<float>(dot(g, e, width()));
      const float length = lengths_[static_cast<size_t>(i)];
      const float factor = length > 0 ? 1 / length : 0;
      for (int64_t k = 0; k < width(); ++k) g[k] = factor * (g[k] - along * e[k]);
    }
  });
  for (size_t i = layers_.size(); i-- > 0;) {
    const int64_t stride = i == 0 ? input_stride_ : layers_[i - 1].width();
    float* const below = i == 0 ? nullptr : gradients_[i - 1].data();
    layers_[i].set_rate(rate);
    layers_[i].backward(sources_[i], stride, rows_, gradients_[i].data(), below);
  }
}

void write_encoder(const Encoder& encoder, CheckpointWriter& file) {
  const EncoderShape& shape = encoder.shape;
  file.put(kKind.command, kKind.version);
  file.put("shape", Shape{shape.inputs, shape.size});
  file.put("hidden", shape.hidden);
  file.put("mean", encoder.mean);
  file.put("scale", encoder.scale);
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    put_trained(name_of_layer(i), encoder.layers[i], file);
  }
}

Encoder read_encoder(const std::string& path) {
  return read_model(path, kKind, read);
}

}  // namespace acevec
