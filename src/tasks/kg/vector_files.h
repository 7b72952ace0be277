// A model's vectors as files for other programs.
#pragma once

#include <optional>
#include <string>

#include "tasks/kg/model.h"
#include "vectors/row_writer.h"

namespace acevec {

struct GraphVectorPaths {
  std::string entities, relations;  // empty for no file
};

// The files that are wanted. The caller commits them.
struct GraphVectorFiles {
  std::optional<RowWriter> entities, relations;

  // Throws UsageError on an ending that is of no format, and Error when a file cannot be written.
  void open(const GraphVectorPaths& paths);

  // A row for each name. Relations' inverses have no names of their own: they follow as
  // "NAME_reverse".
  void write(const Names& entity_names, const Names& relation_names, const KgModel& model);
};

}  // namespace acevec
