#include "vectors/subword_rows.h"

#include <cstdint>
#include <vector>

#include "kernels/hogwild.h"

namespace acevec {

bool SubwordRows::compose(std::string_view word, const float* own, float* vector) const {
  std::vector<int32_t> buckets;
  append_subwords(word, shape_, buckets);
  const size_t parts = buckets.size() + (own != nullptr ? 1 : 0);
  if (parts == 0) return false;
  prefetch_rows(rows_, buckets.data(), static_cast<int64_t>(buckets.size()));
  std::vector<double> sum(static_cast<size_t>(rows_.columns()));
  const auto add = [&](const float* row) {
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += static_cast<double>(row[k]);
  };
  if (own != nullptr) add(own);
  for (const int32_t bucket : buckets) add(rows_.row(bucket));
  for (size_t k = 0; k < sum.size(); ++k) {
    vector[k] = static_cast<float>(sum[k] / static_cast<double>(parts));
  }
  return true;
}

}  // namespace acevec
