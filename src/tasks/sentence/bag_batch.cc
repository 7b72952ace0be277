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
      along_(static_cast<size_t>(limits.sentences)),
      weights_(static_cast<size_t>(limits.rows)),
      sentence_of_(weights_.size()) {}

int64_t BagBatch::bytes(const BatchLimits& limits) {
  return limits.rows * (kFloatSize + 4) + limits.sentences * kFloatSize;
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
  std::fill_n(sentence_of_.begin() + one.first, one.rows.size(), static_cast<int32_t>(i));
  float* const mean = vectors_.data() + i * width();
  sum_bag({one.rows.data(), std::ssize(one.rows), width()}, rows.row(0), weights, mean);
  mean[log_weight_] = 0;
}

void BagBatch::take_gradient(int64_t i) {
  gradient(i)[log_weight_] = 0;
  along_[static_cast<size_t>(i)] = row_product(gradient(i), vector(i), width());
}

// dL/dθ of an occurrence is its weight times how far it lies from the mean along the gradient.
void BagBatch::add_gradients() {
  const auto row_of = [&](int64_t occurrence, const Sentence& sentence) {
    return sentence.rows[static_cast<size_t>(occurrence - sentence.first)];
  };
  const auto add = [&](int64_t occurrence, float* sum) {
    const auto at = static_cast<size_t>(occurrence);
    const int64_t i = sentence_of_[at];
    const Sentence& one = sentence(i);
    const float* const row = network_of(one).rows.row(row_of(occurrence, one));
    const float along = row_product(gradient(i), row, width());
    add_scaled(gradient(i), weights_[at], width(), sum);
    sum[log_weight_] += weights_[at] * (along - along_[static_cast<size_t>(i)]);
  };
  const auto soon = [&](int64_t occurrence) {
    const Sentence& one = sentence(sentence_of_[static_cast<size_t>(occurrence)]);
    const int32_t row = row_of(occurrence, one);
    prefetch_rows(network_of(one).rows, &row, 1);
  };
  step_rows_.accumulate(add, soon);
}

}  // namespace acevec
