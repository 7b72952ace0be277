#include "tasks/metric/loss.h"

#include <algorithm>
#include <span>

#include "kernels/products.h"

namespace acevec {
namespace {

// Adds an anchor's loss to the sums, and its gradient with respect to its row of squared distances
// to `slopes`.
void add_anchor(float margin, const float* squares, int32_t positive,
                std::span<const int32_t> negatives, float* slopes, TripletSums& sums) {
  const int64_t some = std::find(negatives.begin(), negatives.end(), -1) - negatives.begin();
  if (some == 0) return;
  const float near = squares[positive];
  const auto share = 1 / static_cast<float>(some);
  double far = 0, active = 0;
  for (int64_t k = 0; k < some; ++k) {
    const int32_t j = negatives[static_cast<size_t>(k)];
    far += double{squares[j]};
    const float loss = triplet_loss(margin, near, squares[j]);
    if (!(loss > 0)) continue;
    ++active;
    sums.loss += double{share} * double{loss};
    slopes[positive] += share;
    slopes[j] -= share;
  }
  ++sums.anchors;
  sums.positive += double{near};
  sums.negative += far / static_cast<double>(some);
  sums.active += active / static_cast<double>(some);
}

}  // namespace

TripletSums triplet_gradient(float margin, const BatchDistances& batch, const int32_t* negatives,
                             int64_t count, std::vector<float>& scratch, float* gradient) {
  const int64_t n = batch.rows;
  scratch.assign(static_cast<size_t>(2 * n * n), 0.0F);
  float* const slopes = scratch.data();
  TripletSums sums;
  for (int64_t i = 0; i < n; ++i) {
    add_anchor(margin, batch.squares + i * n, batch.positives[i],
               {negatives + i * count, static_cast<size_t>(count)}, slopes + i * n, sums);
  }
  // With s_ij = dL/d|e_i − e_j|² of both orders: dL/de_i = 2 Σ_j s_ij (e_i − e_j).
  float* const weights = slopes + n * n;
  const float mean = sums.anchors > 0 ? 2 / static_cast<float>(sums.anchors) : 0;
  for (int64_t i = 0; i < n; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      const float both = mean * (slopes[i * n + j] + slopes[j * n + i]);
      weights[i * n + j] = -both;
      sum += both;
    }
    weights[i * n + i] += sum;
  }
  mix_rows({weights, n, 1}, n, {batch.vectors, n}, batch.width, gradient, false);
  return sums;
}

void squared_distances(const float* vectors, int64_t rows, int64_t width, float* squares) {
  score_rows({vectors, rows}, {vectors, rows}, width, {squares, rows});
  std::vector<float> lengths(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) lengths[static_cast<size_t>(i)] = squares[i * rows + i];
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < rows; ++j) {
      float& square = squares[i * rows + j];
      square = std::max(
          0.0F, lengths[static_cast<size_t>(i)] + lengths[static_cast<size_t>(j)] - 2 * square);
    }
  }
}

}  // namespace acevec
