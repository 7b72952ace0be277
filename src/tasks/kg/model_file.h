// A learned model as one file: the container of base/checkpoint_file.h, whose checksum tells a
// damaged one, with these parts: "acevec kg" (the version), "shape", "entities" and "relations"
// (names, one a line), the matrices "entity vectors" and "relation vectors", and "triples", which
// were learned from, each as head, relation, tail (int32).
#pragma once

#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/model.h"

namespace acevec {

struct KgFile {
  Names entities, relations;
  KgModel model;
  std::vector<Triple> known;  // the triples learned from

  // Of a column of triples, of kTripleColumns.
  const Names& names(size_t column) const {
    return kTripleColumns[column] == &Triple::relation ? relations : entities;
  }
};

// commit() is the caller's. Throws Error when a number is not finite, and when the file cannot be
// written.
void write_kg(const Graph& graph, const KgModel& model, CheckpointWriter& file);

// Throws Error when the file is something else, of acevec 0.2.0, cut short or damaged.
KgFile read_kg(const std::string& path);

}  // namespace acevec
