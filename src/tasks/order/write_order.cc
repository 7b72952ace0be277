#include "tasks/order/write_order.h"

#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "tasks/order/cones.h"
#include "vectors/row_writer.h"

namespace acevec {

AnswerCut answer_cut(const Hierarchy& hierarchy, const Split& split, const Embedding& embedding,
                     int threads) {
  const int64_t concepts = hierarchy.concepts.size();
  const std::vector<int32_t> asked =
      sample_concepts(generals_of(concepts, split.development.positives), kAskedConcepts);
  return choose_cut(Answers(embedding), generals_of(concepts, hierarchy.lines), asked, threads);
}

std::string cone_record(const AnswerCut& cut) {
  Json record;
  record.put("/acevec", version());
  record.put("/settings/geometry", "cone");
  record.put("/threshold", cut.weighted);
  return record.text(2);
}

void write_order(const Hierarchy& hierarchy, Matrix& vectors, Geometry geometry,
                 const AnswerCut& cut, RowWriter& file) {
  // Penalties grow with the square of the length.
  const float scale = 1 / std::sqrt(cut.weighted);
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    if (geometry == Geometry::kCone) {
      bound_cone(vectors.row(i), vectors.columns());
      continue;
    }
    for (int64_t k = 0; k < vectors.columns(); ++k) vectors.row(i)[k] *= scale;
  }
  write_vectors(hierarchy.concepts, vectors, {}, file);
}

}  // namespace acevec
