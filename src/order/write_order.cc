#include "order/write_order.h"

#include <cmath>

#include "order/evaluation.h"
#include "vectors/writer.h"

namespace acevec {

void write_order(const Hierarchy& hierarchy, const Split& split, Matrix& vectors, bool binary,
                 OutputFile& file) {
  // Penalties grow with the square of the length.
  const float scale = 1 / std::sqrt(best_threshold(vectors, split.development).penalty);
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    for (int64_t k = 0; k < vectors.columns(); ++k) vectors.row(i)[k] *= scale;
  }
  write_vectors(hierarchy.concepts, vectors, {}, binary, file);
}

}  // namespace acevec
