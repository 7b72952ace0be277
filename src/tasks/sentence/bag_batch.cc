#include "tasks/sentence/bag_batch.h"

#include <cmath>

#include "kernels/bags.h"
#include "kernels/products.h"

namespace acevec {

BagBatch::BagBatch(Matrix& rows, Matrix& moments, const OptimizerSettings& settings,
                   const BatchLimits& limits)
    : SentenceBatch(rows, moments, settings, limits), log_weight_(rows.columns() - 1) {}

void BagBatch::encode() {
  weights_.resize(places_.size());
  size_t begin = 0;
  for (int64_t i = 0; i < count(); ++i) {
    const size_t end = ends_[static_cast<size_t>(i)];
    float total = 0;
    for (size_t at = begin; at < end; ++at) {
      total += weights_[at] = std::exp(batch_.values()[places_[at] + log_weight_]);
    }
    for (size_t at = begin; at < end; ++at) weights_[at] /= total;
    float* const mean = vectors_.data() + i * width();
    sum_bag(rows_of(begin, end), batch_.values(), weights_.data() + begin, mean);
    mean[log_weight_] = 0;
    begin = end;
  }
}

void BagBatch::push_down(int64_t /*step*/, float /*rate*/) {
  scores_.resize(places_.size());
  size_t begin = 0;
  for (int64_t i = 0; i < count(); ++i) {
    const size_t end = ends_[static_cast<size_t>(i)];
    float* const down = gradient(i);
    down[log_weight_] = 0;
    float of_mean = 0;
    score_rows({down, 1}, {vector(i), 1}, width(), {&of_mean, 1});
    spread_bag(rows_of(begin, end), batch_.values(), weights_.data() + begin, down,
               scores_.data() + begin, batch_.changes());
    for (size_t at = begin; at < end; ++at) {
      batch_.changes()[places_[at] + log_weight_] += weights_[at] * (scores_[at] - of_mean);
    }
    begin = end;
  }
}

BagRows BagBatch::rows_of(size_t begin, size_t end) const {
  return {places_.data() + begin, static_cast<int64_t>(end - begin), batch_.width()};
}

}  // namespace acevec
