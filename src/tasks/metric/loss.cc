#include "tasks/metric/loss.h"

#include <algorithm>
#include <span>

#include "base/parallel.h"
#include "kernels/products.h"
#include "math/table_products.h"

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

// The slopes of one anchor's row become weights of vectors. With s_ij = dL/d|e_i − e_j|² of both
// orders: dL/de_i = 2 Σ_j s_ij (e_i − e_j).
void weigh_anchor(const float* slopes, int64_t rows, int64_t anchor, float factor, float* weights) {
  float sum = 0;
  for (int64_t j = 0; j < rows; ++j) {
    const float both = factor * (slopes[anchor * rows + j] + slopes[j * rows + anchor]);
    weights[j] = -both;
    sum += both;
  }
  weights[anchor] += sum;
}

}  // namespace

TripletSums& TripletSums::operator+=(const TripletSums& more) {
  loss += more.loss;
  anchors += more.anchors;
  positive += more.positive;
  negative += more.negative;
  active += more.active;
  return *this;
}

TripletSums triplet_gradient(float margin, const BatchDistances& batch, const int32_t* negatives,
                             int64_t count, float* slopes, float* gradient, int threads) {
  const int64_t n = batch.rows;
  const TripletSums sums =
      sum_in_blocks(threads, n, Anchors::kTogether, [&](int64_t begin, int64_t end) {
        TripletSums sum;
        std::fill(slopes + begin * n, slopes + end * n, 0.0F);
        for (int64_t i = begin; i < end; ++i) {
          add_anchor(margin, batch.squares + i * n, batch.positives[i],
                     {negatives + i * count, static_cast<size_t>(count)}, slopes + i * n, sum);
        }
        return sum;
      });
  const float factor = sums.anchors > 0 ? 2 / static_cast<float>(sums.anchors) : 0;
  in_blocks(threads, n, Anchors::kTogether, [&](int64_t begin, int64_t end) {
    std::vector<float> weights(static_cast<size_t>((end - begin) * n));
    for (int64_t i = begin; i < end; ++i) {
      weigh_anchor(slopes, n, i, factor, weights.data() + (i - begin) * n);
    }
    mix_rows({weights.data(), n, 1}, end - begin, {batch.vectors, n}, batch.width,
             gradient + begin * batch.width, false);
  });
  return sums;
}

void squared_distances(const float* vectors, int64_t rows, int64_t width, float* squares,
                       int threads) {
  score_tables({vectors, rows}, {vectors, rows}, width, {squares, rows}, threads);
  std::vector<float> lengths(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) lengths[static_cast<size_t>(i)] = squares[i * rows + i];
  in_blocks(threads, rows, Anchors::kTogether, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float length = lengths[static_cast<size_t>(i)];
      for (int64_t j = 0; j < rows; ++j) {
        float& square = squares[i * rows + j];
        square = std::max(0.0F, length + lengths[static_cast<size_t>(j)] - 2 * square);
      }
    }
  });
}

}  // namespace acevec
