#include "tasks/kg/vector_files.h"

#include "base/output_file.h"

namespace acevec {
namespace {

// The vectors, of `size` numbers, that rows begin with.
void write_named(const Names& names, const Matrix& rows, int64_t size, RowWriter& file) {
  file.begin(rows.rows(), size);
  for (int32_t row = 0; row < rows.rows(); ++row) {
    const std::string word = as_word(names.name(row % names.size()));
    file.write(row < names.size() ? word : word + "_reverse", rows.row(row));
  }
}

}  // namespace

void GraphVectorFiles::open(const GraphVectorPaths& paths) {
  open_if(entities, paths.entities, output_format(paths.entities));
  open_if(relations, paths.relations, output_format(paths.relations));
}

void GraphVectorFiles::write(const Names& entity_names, const Names& relation_names,
                             const KgModel& model) {
  if (entities) write_named(entity_names, model.entities, model.shape.size, *entities);
  if (relations) write_named(relation_names, model.relations, model.shape.size, *relations);
}

}  // namespace acevec
