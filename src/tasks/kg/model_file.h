// A learned model as one file.
//
//   acevec-kg 1 SCORE NORM SIZE ENTITIES RELATIONS TRIPLES [reciprocal]
//   ENTITIES + RELATIONS names, one a line
//   a row of floats for each entity, then for each relation, padding left out
//                                                              with [reciprocal] at the end of the
//                                                              first line then for each reverse
//   TRIPLES times head, relation, tail                         int32: those learned from
//   CRC-32 of all that                                         uint32
//
// Numbers are little-endian.
#pragma once

#include <string>
#include <vector>

#include "base/output_file.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/model.h"

namespace acevec {

struct KgFile {
  Names entities, relations;
  KgModel model;
  std::vector<Triple> known;  // the triples learned from
};

// Other threads may train the model meanwhile. Throws Error when a number is not finite, and when
// the file cannot be written.
void write_kg(const Graph& graph, const KgModel& model, OutputFile& file);

// Reads what write_kg() wrote ("-" is standard input). Throws Error when it is something else, cut
// short or damaged.
KgFile read_kg(const std::string& path);

}  // namespace acevec
