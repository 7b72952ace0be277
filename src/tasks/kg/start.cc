#include "tasks/kg/start.h"

#include <algorithm>

#include "base/error.h"

namespace acevec {
namespace {

std::string described(const KgShape& shape) {
  return format("-score %s, -size %ld and %sinverse relations", name_of(shape.score),
                static_cast<long>(shape.size), shape.reciprocal ? "" : "no ");
}

// Rows by name, in each of the `times` blocks of rows that relations have.
int64_t copy_rows(const Names& from_names, const Matrix& from, const Names& to_names, Matrix& to) {
  int64_t found = 0;
  for (int32_t id = 0; id < to_names.size(); ++id) {
    const int32_t old = from_names.find(to_names.name(id));
    if (old < 0) continue;
    ++found;
    for (int64_t row = id, old_row = old; row < to.rows();
         row += to_names.size(), old_row += from_names.size()) {
      std::copy_n(from.row(old_row), from.stride(), to.row(row));
    }
  }
  return found;
}

}  // namespace

KgFile read_start(const std::string& path, const KgShape& shape) {
  KgFile old = read_kg(path);
  const KgShape& had = old.model.shape;
  if (had.score == shape.score && had.size == shape.size && had.reciprocal == shape.reciprocal) {
    return old;
  }
  throw Error(
      format("cannot start from %s: it has %s, and this run %s; give its -score, "
             "-size and -loss",
             path.c_str(), described(had).c_str(), described(shape).c_str()));
}

KnownRows start_from(const KgFile& old, const Graph& graph, KgModel& model) {
  return {copy_rows(old.entities, old.model.entities, graph.entities, model.entities),
          copy_rows(old.relations, old.model.relations, graph.relations, model.relations)};
}

}  // namespace acevec
