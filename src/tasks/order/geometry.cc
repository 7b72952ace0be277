#include "tasks/order/geometry.h"

#include <cmath>
#include <numeric>

namespace acevec {

PairFunctions pair_functions(Geometry geometry) {
  if (geometry == Geometry::kCone) return {cone_penalty, add_cone_gradient, cone_table};
  const auto penalty = [](const float* x, const float* y, int64_t width, ConeSlopes*) {
    return order_penalty(x, y, width);
  };
  const auto add_gradient = [](const float* x, const float* y, int64_t width, const ConeSlopes&,
                               float scale, float* x_gradient, float* y_gradient) {
    add_penalty_gradient(x, y, width, scale, x_gradient, y_gradient);
  };
  return {penalty, add_gradient, penalty_table};
}

float Embedding::penalty(OrderPair pair) const {
  return pair_functions(geometry_).penalty(
      vectors_->row(pair.specific), vectors_->row(pair.general), vectors_->stride(), nullptr);
}

double Embedding::depth(int32_t id) const {
  const float* const row = vectors_->row(id);
  const float* const end = row + vectors_->columns();
  if (geometry_ == Geometry::kOrder) return std::accumulate(row, end, 0.0);
  return std::sqrt(std::inner_product(row, end, row, 0.0));
}

}  // namespace acevec
