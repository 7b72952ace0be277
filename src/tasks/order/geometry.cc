#include "tasks/order/geometry.h"

#include <cmath>
#include <numeric>

#include "tasks/order/cones.h"

namespace acevec {

float pair_penalty(Geometry geometry, const float* x, const float* y, int64_t width) {
  return geometry == Geometry::kOrder ? order_penalty(x, y, width) : cone_penalty(x, y, width);
}

void add_pair_gradient(Geometry geometry, const float* x, const float* y, int64_t width,
                       float scale, float* x_gradient, float* y_gradient) {
  const auto add = geometry == Geometry::kOrder ? add_penalty_gradient : add_cone_gradient;
  add(x, y, width, scale, x_gradient, y_gradient);
}

void pair_table(Geometry geometry, Replaced replaced, const float* conditions, int64_t rows,
                const float* others, int64_t count, int64_t columns, int64_t stride, float* table,
                int64_t table_stride) {
  const auto fill = geometry == Geometry::kOrder ? penalty_table : cone_table;
  fill(replaced, conditions, rows, others, count, columns, stride, table, table_stride);
}

float Embedding::penalty(OrderPair pair) const {
  return pair_penalty(geometry_, vectors_->row(pair.specific), vectors_->row(pair.general),
                      vectors_->stride());
}

double Embedding::depth(int32_t id) const {
  const float* const row = vectors_->row(id);
  const float* const end = row + vectors_->columns();
  if (geometry_ == Geometry::kOrder) return std::accumulate(row, end, 0.0);
  return std::sqrt(std::inner_product(row, end, row, 0.0));
}

}  // namespace acevec
