#include "cluster/combine.h"

#include <algorithm>

namespace acevec {
namespace {

double square(const float* row, int64_t width) {
  double sum = 0;
  for (int64_t k = 0; k < width; ++k) sum += static_cast<double>(row[k]) * row[k];
  return sum;
}

}  // namespace

void combine(std::span<const float* const> changes, double times, int64_t width, float* result) {
  std::copy_n(changes.front(), width, result);
  for (const float* change : changes.subspan(1)) {
    for (int64_t k = 0; k < width; ++k) result[k] += change[k];
  }
  double apart = 0;
  for (const float* change : changes) apart += square(change, width);
  const double together = square(result, width);
  const double most = 1 / times;
  const auto scale = static_cast<float>(together * most > apart ? apart / together : most);
  for (int64_t k = 0; k < width; ++k) result[k] *= scale;
}

}  // namespace acevec
