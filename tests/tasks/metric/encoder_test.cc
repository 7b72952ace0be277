// The encoder and the losses against plain loops and finite differences.

#include "tasks/metric/encoder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "base/error.h"
#include "tasks/metric/negatives.h"
#include "temporary_folder.h"

namespace acevec::metric_encoder_test {
namespace {

constexpr int64_t kInputs = 5;
constexpr int64_t kRows = 6;

Matrix random_points(int64_t rows, int64_t columns, uint64_t seed) {
  Random random(seed);
  Matrix points(rows, columns);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < columns; ++k) points.row(i)[k] = 10 * random.uniform() - 3;
  }
  return points;
}

EncoderShape shape_of(std::vector<int64_t> hidden) {
  return {kInputs, std::move(hidden), 4};
}

// A point's vector, in double.
std::vector<double> vector_of(const Encoder& encoder, const float* point) {
  std::vector<double> x;
  for (size_t k = 0; k < encoder.mean.size(); ++k) {
    const float scale = encoder.scale.size() > 1 ? encoder.scale[k] : encoder.scale[0];
    x.push_back(double{scale} * (double{point[k]} - double{encoder.mean[k]}));
  }
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    const Matrix& layer = encoder.layers[i];
    std::vector<double> y;
    for (int64_t k = 0; k < layer.columns(); ++k) {
      double sum = double{layer.row(layer.rows() - 1)[k]};
      for (size_t j = 0; j < x.size(); ++j)
        sum += x[j] * double{layer.row(static_cast<int64_t>(j))[k]};
      if (i + 1 < encoder.layers.size()) sum = std::max(sum, 0.0);
      y.push_back(sum);
    }
    x = y;
  }
  double squares = 0;
  for (const double value : x) squares += value * value;
  for (double& value : x) value /= std::sqrt(squares);
  return x;
}

// The mean loss over all anchors, in double.
double loss_of(double margin, const Encoder& encoder, const Matrix& points,
               const std::vector<int32_t>& positives, const std::vector<int32_t>& negatives,
               int64_t count) {
  std::vector<std::vector<double>> vectors;
  for (int64_t i = 0; i < points.rows(); ++i) vectors.push_back(vector_of(encoder, points.row(i)));
  const auto distance = [&](int64_t i, int32_t j) {
    double sum = 0;
    for (size_t k = 0; k < vectors[0].size(); ++k) {
      const double difference =
          vectors[static_cast<size_t>(i)][k] - vectors[static_cast<size_t>(j)][k];
      sum += difference * difference;
    }
    return sum;
  };
  double sum = 0, anchors = 0;
  for (int64_t i = 0; i < points.rows(); ++i) {
    double own = 0, some = 0;
    const double near = distance(i, positives[static_cast<size_t>(i)]);
    for (int64_t k = i * count; k < (i + 1) * count; ++k) {
      const int32_t j = negatives[static_cast<size_t>(k)];
      if (j < 0) continue;
      ++some;
      own += std::max(0.0, margin + near - distance(i, j));
    }
    if (some == 0) continue;
    ++anchors;
    sum += own / some;
  }
  return sum / anchors;
}

void check_gradient(const EncoderShape& shape) {
  constexpr float kMargin = 2;
  CAPTURE(shape.hidden.size());
  const Matrix points = random_points(kRows, kInputs, 1);
  Encoder encoder(shape);
  start_encoder(encoder, points, 3);
  Encoder before(shape);
  start_encoder(before, points, 3);
  OptimizerSettings sgd{OptimizerKind::kSgd};
  std::vector<Matrix> moments;
  for (const Matrix& layer : encoder.layers) {
    moments.push_back(Optimizer::moments_for(sgd, layer.rows(), layer.stride()));
  }
  EncoderBatch batch(encoder, moments, sgd, kRows, 2);
  for (int64_t i = 0; i < kRows; ++i) encoder.standardise(points.row(i), batch.input(i));
  const float* const vectors = batch.forward(kRows);
  std::vector<float> squares(kRows * kRows), slopes(kRows * kRows);
  squared_distances(vectors, kRows, batch.width(), squares.data());
  // Three classes; the last anchors have one negative and none.
  const std::vector<int32_t> classes{0, 0, 1, 1, 2, 2}, positives{1, 0, 3, 2, 5, 4};
  const std::vector<int32_t> negatives{2, 5, 3, 3, 0, 4, 1, 5, 0, -1, -1, -1};
  triplet_gradient(
      kMargin, {squares.data(), classes.data(), positives.data(), kRows, vectors, batch.width()},
      negatives.data(), 2, slopes.data(), batch.gradient());
  constexpr float kRate = 1e-3F;
  batch.backward(kRate);
  double worst = 0, largest = 0;
  for (size_t l = 0; l < before.layers.size(); ++l) {
    Matrix& layer = before.layers[l];
    for (int64_t i = 0; i < layer.rows(); ++i) {
      for (int64_t k = 0; k < layer.columns(); ++k) {
        float& value = layer.row(i)[k];
        const float old = value;
        const double step = (double{old} - double{encoder.layers[l].row(i)[k]}) / double{kRate};
        const auto loss_at = [&](float there) {
          value = there;
          return loss_of(kMargin, before, points, positives, negatives, 2);
        };
        const float above = old + 0x1p-12F, below = old - 0x1p-12F;
        const double slope = (loss_at(above) - loss_at(below)) / (double{above} - double{below});
        value = old;
        worst = std::max(worst, std::abs(step - slope));
        largest = std::max(largest, std::abs(slope));
      }
    }
  }
  CHECK(largest > 0.01);
  CHECK(worst < 2e-3 * (1 + largest));
}

Encoder some_encoder() {
  Encoder encoder({3, {5, 18}, 2});
  Matrix points(4, 3);
  for (int64_t i = 0; i < 4; ++i) points.row(i)[i % 3] = static_cast<float>(i);
  start_encoder(encoder, points, 7);
  return encoder;
}

std::string written(const TemporaryFolder& folder) {
  const std::string path = folder.path("model");
  CheckpointWriter file(path);
  write_encoder(some_encoder(), file);
  file.commit();
  return path;
}

}  // namespace

TEST_CASE("a step of the encoder goes down the loss by its gradient") {
  check_gradient(shape_of({}));
  check_gradient(shape_of({7}));
  check_gradient(shape_of({20, 9}));
}

TEST_CASE("points are encoded as by plain loops, whatever the number of threads") {
  Encoder encoder(shape_of({20, 9}));
  const Matrix points = random_points(600, kInputs, 2);
  start_encoder(encoder, points, 1);
  const Matrix one = encode(encoder, points, 1);
  const Matrix three = encode(encoder, points, 3);
  double worst = 0;
  for (int64_t i = 0; i < points.rows(); ++i) {
    const std::vector<double> wanted = vector_of(encoder, points.row(i));
    CHECK(std::equal(one.row(i), one.row(i) + 4, three.row(i)));
    for (size_t k = 0; k < wanted.size(); ++k) {
      worst = std::max(worst, std::abs(wanted[k] - double{one.row(i)[k]}));
    }
  }
  CHECK(worst < 1e-5);
}

TEST_CASE("points come to the encoder with mean 0 and one variance, 1 over all numbers") {
  Encoder encoder(shape_of({}));
  const Matrix points = random_points(50, kInputs, 4);
  start_encoder(encoder, points, 1);
  double squares = 0;
  std::vector<double> sums(kInputs);
  for (int64_t i = 0; i < points.rows(); ++i) {
    float standard[kInputs];
    encoder.standardise(points.row(i), standard);
    for (size_t k = 0; k < kInputs; ++k) {
      sums[k] += double{standard[k]};
      squares += double{standard[k]} * double{standard[k]};
    }
  }
  for (const double sum : sums) CHECK(std::abs(sum) < 1e-4);
  CHECK(squares / 50 / kInputs == doctest::Approx(1));
  // The scale of points that hardly differ is finite.
  Matrix tiny(2, kInputs);
  tiny.row(0)[0] = std::numeric_limits<float>::denorm_min();
  start_encoder(encoder, tiny, 1);
  REQUIRE(encoder.scale.size() == 1);
  CHECK(std::isfinite(encoder.scale[0]));
  // Points that are all equal stay at 0.
  Matrix equal(3, kInputs);
  for (int64_t i = 0; i < 3; ++i) std::fill_n(equal.row(i), kInputs, 5.0F);
  start_encoder(encoder, equal, 1);
  float standard[kInputs];
  encoder.standardise(equal.row(0), standard);
  CHECK(standard[0] == 0.0F);
}

TEST_CASE("a point that has no finite vector is named") {
  Encoder encoder(shape_of({7}));
  Matrix points = random_points(300, kInputs, 4);
  start_encoder(encoder, points, 1);
  CHECK_NOTHROW(encode(encoder, points, 2));
  points.row(299)[1] = 3e38F;
  encoder.scale = {1e3F};
  CHECK_THROWS_WITH_AS(encode(encoder, points, 2), doctest::Contains("point 300"), Error);
}

TEST_CASE("an encoder comes back from its file as it was") {
  const TemporaryFolder folder;
  const Encoder read = read_encoder(written(folder));
  const Encoder wanted = some_encoder();
  CHECK(read.shape.layers() == wanted.shape.layers());
  CHECK(read.mean == wanted.mean);
  CHECK(read.scale == wanted.scale);
  REQUIRE(read.layers.size() == 3);
  for (size_t l = 0; l < 3; ++l) {
    for (int64_t i = 0; i < wanted.layers[l].rows(); ++i) {
      for (int64_t k = 0; k < wanted.layers[l].columns(); ++k) {
        CHECK(read.layers[l].row(i)[k] == wanted.layers[l].row(i)[k]);
      }
    }
  }
}

TEST_CASE("columns of different units have scales of their own, in the model's file too") {
  Encoder encoder(shape_of({7}));
  Matrix points = random_points(300, kInputs, 4);
  start_encoder(encoder, points, 1);
  CHECK(!scale_columns(encoder, points));
  CHECK(encoder.scale.size() == 1);
  for (int64_t i = 0; i < points.rows(); ++i) {
    points.row(i)[0] *= 1000;
    points.row(i)[1] = 5;
  }
  start_encoder(encoder, points, 1);
  REQUIRE(scale_columns(encoder, points));
  std::vector<double> squares(kInputs);
  std::vector<float> standard(kInputs);
  for (int64_t i = 0; i < points.rows(); ++i) {
    encoder.standardise(points.row(i), standard.data());
    for (size_t k = 0; k < squares.size(); ++k) squares[k] += std::pow(double{standard[k]}, 2);
  }
  CHECK(squares[1] == 0);
  const double variance = 300 * double{kInputs} / (kInputs - 1);  // that of all numbers is 1
  for (const size_t k : {size_t{0}, size_t{2}, size_t{3}, size_t{4}}) {
    CHECK(squares[k] == doctest::Approx(variance).epsilon(1e-4));
  }
  const TemporaryFolder folder;
  CheckpointWriter file(folder.path("model"));
  write_encoder(encoder, file);
  file.commit();
  CHECK(read_encoder(folder.path("model")).scale == encoder.scale);
}

TEST_CASE("damaged encoders and other files are refused") {
  const TemporaryFolder folder;
  const std::string bytes = folder.read(std::filesystem::path(written(folder)).filename());
  for (size_t size = 0; size < bytes.size(); size += 7) {
    CHECK_THROWS_AS(read_encoder(folder.write("cut", bytes.substr(0, size))), Error);
  }
  for (size_t at = 0; at < bytes.size(); at += 11) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ 4);
    CHECK_THROWS_AS(read_encoder(folder.write("altered", altered)), Error);
  }
  CHECK_THROWS_AS(read_encoder(folder.path("none")), Error);
}

TEST_CASE("an encoder that is not finite is not written") {
  const TemporaryFolder folder;
  Encoder encoder = some_encoder();
  encoder.layers[1].row(0)[0] = 1.0F / 0.0F;
  CheckpointWriter file(folder.path("model"));
  CHECK_THROWS_AS(write_encoder(encoder, file), Error);
}

}  // namespace acevec::metric_encoder_test
