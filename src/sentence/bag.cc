#include "sentence/bag.h"

#include <algorithm>
#include <cmath>

#include "math/kernels.h"

namespace acevec {

BagBatch::BagBatch(Matrix& rows, Matrix& moments, const OptimizerSettings& settings,
                   int64_t most_rows, int64_t most)
    : rows_(rows),
      batch_(rows, moments, settings, most_rows),
      means_(most * rows.stride()),
      gradients_(most * rows.stride()) {}

int64_t BagBatch::bytes(int64_t rows, int64_t width, const OptimizerSettings& settings,
                        int64_t most_rows, int64_t most) {
  return BatchRows::bytes(rows, width, settings, most_rows) +
         2 * most * width * static_cast<int64_t>(sizeof(float)) +
         most_rows * static_cast<int64_t>(sizeof(int64_t) + sizeof(float));
}

void BagBatch::add(const int32_t* rows, size_t count) {
  for (size_t i = 0; i < count; ++i) places_.push_back(batch_.place(rows[i]));
  ends_.push_back(places_.size());
}

void BagBatch::forward() {
  batch_.gather();
  weights_.resize(places_.size());
  std::fill_n(gradients_.data(), count() * width(), 0.0F);
  const int64_t log_weight = rows_.columns() - 1;
  size_t begin = 0;
  for (int64_t i = 0; i < count(); ++i) {
    const size_t end = ends_[static_cast<size_t>(i)];
    float total = 0;
    for (size_t at = begin; at < end; ++at) {
      total += weights_[at] = std::exp(batch_.values()[places_[at] + log_weight]);
    }
    float* const mean = means_.data() + i * width();
    std::fill_n(mean, width(), 0.0F);
    for (size_t at = begin; at < end; ++at) {
      weights_[at] /= total;
      mix_rows({&weights_[at], 0, 0}, 1, batch_.values() + places_[at], 1, width(), mean, true);
    }
    mean[log_weight] = 0;
    begin = end;
  }
}

void BagBatch::backward(int64_t step, float rate) {
  const int64_t log_weight = rows_.columns() - 1;
  size_t begin = 0;
  for (int64_t i = 0; i < count(); ++i) {
    const size_t end = ends_[static_cast<size_t>(i)];
    float* const down = gradient(i);
    down[log_weight] = 0;
    float of_mean = 0;
    score_rows(down, 1, mean(i), 1, width(), &of_mean, 1);
    for (size_t at = begin; at < end; ++at) {
      float* const change = batch_.changes() + places_[at];
      float of_row = 0;
      score_rows(down, 1, batch_.values() + places_[at], 1, width(), &of_row, 1);
      mix_rows({&weights_[at], 0, 0}, 1, down, 1, width(), change, true);
      change[log_weight] += weights_[at] * (of_row - of_mean);
    }
    begin = end;
  }
  batch_.optimize(step, rate);
  batch_.add();
}

void BagBatch::clear() {
  batch_.clear();
  places_.clear();
  ends_.clear();
}

}  // namespace acevec
