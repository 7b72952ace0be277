#include "sentence/bag_batch.h"

#include <algorithm>
#include <cmath>

#include "math/kernels.h"

namespace acevec {

BagBatch::BagBatch(Matrix& rows, Matrix& moments, const OptimizerSettings& settings,
                   const BatchLimits& limits)
    : SentenceBatch(rows, moments, settings, limits), log_weight_(rows.columns() - 1) {}

void BagBatch::encode() {
  weights_.resize(places.size());
  size_t begin = 0;
  for (int64_t i = 0; i < count(); ++i) {
    const size_t end = ends[static_cast<size_t>(i)];
    float total = 0;
    for (size_t at = begin; at < end; ++at) {
      total += weights_[at] = std::exp(batch.values()[places[at] + log_weight_]);
    }
    float* const mean = vectors.data() + i * width();
    std::fill_n(mean, width(), 0.0F);
    for (size_t at = begin; at < end; ++at) {
      weights_[at] /= total;
      mix_rows({&weights_[at], 0, 0}, 1, batch.values() + places[at], 1, width(), mean, true);
    }
    mean[log_weight_] = 0;
    begin = end;
  }
}

void BagBatch::push_down(int64_t /*step*/, float /*rate*/) {
  size_t begin = 0;
  for (int64_t i = 0; i < count(); ++i) {
    const size_t end = ends[static_cast<size_t>(i)];
    float* const down = gradient(i);
    down[log_weight_] = 0;
    float of_mean = 0;
    score_rows(down, 1, vector(i), 1, width(), &of_mean, 1);
    for (size_t at = begin; at < end; ++at) {
      float* const change = batch.changes() + places[at];
      float of_row = 0;
      score_rows(down, 1, batch.values() + places[at], 1, width(), &of_row, 1);
      mix_rows({&weights_[at], 0, 0}, 1, down, 1, width(), change, true);
      change[log_weight_] += weights_[at] * (of_row - of_mean);
    }
    begin = end;
  }
}

}  // namespace acevec
