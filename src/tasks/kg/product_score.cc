#include "tasks/kg/product_score.h"

namespace acevec {

void ProductScore::distances(const float* point, const float* /*relation*/,
                             const Columns& candidates, int64_t first, int64_t count,
                             float* out) const {
  negative_products(point, candidates, first, count, out);
}

}  // namespace acevec
