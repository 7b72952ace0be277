// Options shared by the commands of knowledge graphs.
#pragma once

#include "cli/command_line.h"
#include "tasks/kg/model.h"
#include "tasks/kg/triple_reader.h"

namespace acevec {

// Declares -delimiter and -columns.
void declare_triple_format(TripleFormat& format, OptionTable& table);

// Declares -output-entities and -output-relations.
void declare_graph_vectors(GraphVectorPaths& paths, OptionTable& table);

}  // namespace acevec
