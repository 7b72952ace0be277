#include "tasks/order/order_file.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/json.h"

namespace acevec {
namespace {

bool has_negative(const Matrix& vectors) {
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    const float* const row = vectors.row(i);
    if (std::any_of(row, row + vectors.columns(), [](float number) { return number < 0; })) {
      return true;
    }
  }
  return false;
}

}  // namespace

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

void write_order(const Hierarchy& hierarchy, const Embedding& embedding, const AnswerCut& cut,
                 RowWriter& file) {
  const Matrix& vectors = embedding.vectors();
  // Penalties grow with the square of the length.
  const float scale = 1 / std::sqrt(cut.weighted);
  file.begin(vectors.rows(), vectors.columns());
  std::vector<float> row(static_cast<size_t>(vectors.columns()));
  for (int32_t id = 0; id < vectors.rows(); ++id) {
    std::copy_n(vectors.row(id), row.size(), row.begin());
    if (embedding.geometry() == Geometry::kCone) {
      bound_cone(row.data(), vectors.columns());
    } else {
      for (float& number : row) number *= scale;
    }
    if (!all_finite(row.data(), vectors.columns())) {
      throw Error("a vector is not finite, so nothing was written; lower -rate");
    }
    file.write(hierarchy.concepts.word(id), row.data());
  }
}

Reading read_beside(const std::string& record_file, const Matrix& vectors) {
  const Json record = Json::read(record_file);
  Reading reading{has_negative(vectors) ? Geometry::kCone : Geometry::kOrder, 0};
  const std::string geometry = record.text_at("/settings/geometry").value_or("");
  if (geometry == "cone") reading.geometry = Geometry::kCone;
  if (geometry == "order") reading.geometry = Geometry::kOrder;
  const auto unit = static_cast<float>(record.number_at("/threshold").value_or(0));
  if (std::isfinite(unit) && unit > 0) reading.unit = unit;
  return reading;
}

}  // namespace acevec
