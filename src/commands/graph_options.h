// Rows of options, and files, that the commands of knowledge graphs share.
#pragma once

#include "cli/command_line.h"
#include "tasks/kg/model.h"
#include "tasks/kg/triple_reader.h"

namespace acevec {

// The rows of -delimiter and -columns.
void declare_triple_format(TripleFormat& format, OptionTable& table);

// The rows of -output-entities and -output-relations.
void declare_graph_vectors(GraphVectorPaths& paths, OptionTable& table);

}  // namespace acevec
