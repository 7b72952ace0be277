#include "cluster/combine.h"

#include <algorithm>

namespace acevec {
namespace {

double dot(const float* a, const float* b, int64_t width) {
  double sum = 0;
  for (int64_t k = 0; k < width; ++k) sum += static_cast<double>(a[k]) * b[k];
  return sum;
}

void add(const float* row, double factor, int64_t width, float* sum) {
  const auto by = static_cast<float>(factor);
  for (int64_t k = 0; k < width; ++k) sum[k] += by * row[k];
}

void scale(double factor, int64_t width, float* row) {
  const auto by = static_cast<float>(factor);
  for (int64_t k = 0; k < width; ++k) row[k] *= by;
}

// What the sum is to be taken times, so that what changes have in common counts once; at most
// `most`.
double agreement_scale(std::span<const float* const> changes, int64_t width, const float* sum,
                       double most) {
  double apart = 0;
  for (const float* change : changes) apart += dot(change, change, width);
  const double together = dot(sum, sum, width);
  return together * most > apart ? apart / together : most;
}

}  // namespace

void combine(const Combining& way, std::span<const float* const> changes, int64_t width,
             float* result) {
  std::copy_n(changes.front(), width, result);
  for (const float* change : changes.subspan(1)) {
    double along = 0;  // how much of the change lies in the direction of the sum so far
    if (way.how == Combine::kProjection) {
      const double length = dot(result, result, width);
      along = length > 0 ? std::max(0.0, dot(change, result, width) / length) : 0;
    }
    scale(1 - along, width, result);
    add(change, 1, width, result);
  }
  switch (way.how) {
    case Combine::kAverage:
      return scale(1.0 / way.processes, width, result);
    case Combine::kSum:
    case Combine::kProjection:
      return;
    case Combine::kScaled:
      return scale(agreement_scale(changes, width, result, 1 / way.times), width, result);
  }
}

}  // namespace acevec
