#include "tasks/sentence/bag_batch.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/bags.h"
#include "kernels/hogwild.h"
#include "kernels/products.h"

namespace acevec {
namespace {

constexpr int64_t kSentencesTogether = 8;  // sentences that a thread takes together

}  // namespace

BagBatch::BagBatch(std::vector<TrainedNetwork> networks, const OptimizerSettings& rows,
                   const BatchLimits& limits, int threads)
    : SentenceBatch(std::move(networks), rows, limits, threads),
      log_weight_(networks_.front().network.rows.columns() - 1),
      weights_(static_cast<size_t>(limits.rows)),
      slopes_(weights_.size()),
      sentence_of_(weights_.size()) {}

int64_t BagBatch::bytes(const BatchLimits& limits) {
  return limits.rows * (2 * kFloatSize + 4);
}

void BagBatch::forward() {
  in_blocks(threads_, count(), kSentencesTogether, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) encode(i);
  });
}

void BagBatch::encode(int64_t i) {
  list_rows(i);
  if (i + 1 < count()) {
    const Sentence& next = sentence(i + 1);
    prefetch_rows(network_of(next).rows, next.rows.data(), std::ssize(next.rows));
  }
  const Sentence& one = sentence(i);
  const Matrix& rows = network_of(one).rows;
  float* const weights = weights_.data() + one.first;
  float total = 0;
  for (size_t k = 0; k < one.rows.size(); ++k) {
    total += weights[k] = std::exp(rows.row(one.rows[k])[log_weight_]);
  }
  for (size_t k = 0; k < one.rows.size(); ++k) weights[k] /= total;
  float* const mean = vectors_.data() + i * width();
  sum_bag({one.rows.data(), std::ssize(one.rows), width()}, rows.row(0), weights, mean);
  mean[log_weight_] = 0;
}

// dL/dθ of each occurrence: its weight times how far it lies from the mean along the gradient.
void BagBatch::take_gradient(int64_t i) {
  const Sentence& one = sentence(i);
  const Matrix& rows = network_of(one).rows;
  float* const down = gradient(i);
  down[log_weight_] = 0;
  const float of_mean = row_product(down, vector(i), width());
  for (size_t k = 0; k < one.rows.size(); ++k) {
    const size_t at = static_cast<size_t>(one.first) + k;
    slopes_[at] = weights_[at] * (row_product(down, rows.row(one.rows[k]), width()) - of_mean);
    sentence_of_[at] = static_cast<int32_t>(i);
  }
}

void BagBatch::add_gradients() {
  step_rows_.accumulate([&](int32_t occurrence, float* sum) {
    const auto at = static_cast<size_t>(occurrence);
    add_scaled(gradient(sentence_of_[at]), weights_[at], width(), sum);
    sum[log_weight_] += slopes_[at];
  });
}

}  // namespace acevec
