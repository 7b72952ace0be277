// A model: a score, and a row for each entity and each relation. A model is written as one
// file: the container of base/checkpoint_file.h, whose checksum tells a damaged one, with these
// parts: "acevec kg" (the version), "shape", "entities" and "relations" (names, one a line), the
// matrices "entity vectors" and "relation vectors", and "triples", which were learned from, each as
// head, relation, tail (int32).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/random.h"
#include "math/matrix.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/score.h"
#include "vectors/row_writer.h"

namespace acevec {

// A model without its numbers.
struct KgShape {
  ScoreKind score = ScoreKind::kTransD;
  int64_t size = 50;  // numbers in a vector

  // With the softmax each relation has a second row, for its inverse, with which heads are asked
  // for as tails (Lacroix et al. 2018).
  bool has_inverses() const { return !traits_of(score).learns_pairs; }
  int64_t relation_rows(int64_t relations) const { return (has_inverses() ? 2 : 1) * relations; }
};

struct KgModel {
  // All zeros. Throws std::bad_alloc.
  KgModel(const KgShape& wanted, int64_t entity_count, int64_t relation_count);

  // A triple's distance (Score); with inverses the mean of both directions.
  float distance(const Triple& triple) const;

  // Makes a triple without the entity at `side` a point, as Score::ask() does. Returns the
  // relation's row that the point belongs to.
  const float* ask(Side side, const Triple& triple, float* point) const;

  // Relations, without their inverses.
  int64_t relation_count() const { return relations.rows() / shape.relation_rows(1); }

  // The row of a relation's inverse.
  const float* inverse(int32_t relation) const {
    return relations.row(relation_count() + relation);
  }

  KgShape shape;
  std::unique_ptr<Score> score;
  Matrix entities, relations;
};

// The start of training: every part of every row has a random direction, entities length 1.
KgModel initial_model(const KgShape& shape, int64_t entities, int64_t relations, uint64_t seed);

struct KgFile {
  Names entities, relations;
  KgModel model;
  std::vector<Triple> known;  // the triples learned from

  // The names of a column, an index of kTripleColumns.
  const Names& names(size_t column) const {
    return kTripleColumns[column] == &Triple::relation ? relations : entities;
  }
};

// The caller commits the file. Throws Error when a number is not finite, and when the file cannot
// be written.
void write_kg(const Graph& graph, const KgModel& model, CheckpointWriter& file);

// Throws Error when the file is something else, of acevec 0.2.0, cut short or damaged.
KgFile read_kg(const std::string& path);

// Reads a model to start from. Throws Error when it is none, or not of that shape.
KgFile read_start(const std::string& path, const KgShape& shape);

struct KnownRows {
  int64_t entities = 0, relations = 0;
};

// Copies the vectors of entities and relations that have the same names; others stay as they are.
// Both models must have one shape. Returns how many were copied.
KnownRows start_from(const KgFile& old, const Graph& graph, KgModel& model);

struct GraphVectorPaths {
  std::string entities, relations;  // empty for no file
};

// The files of a model's vectors for other programs, those that are wanted. The caller commits
// them.
struct GraphVectorFiles {
  std::optional<RowWriter> entities, relations;

  // Throws UsageError on an ending that is of no format, and Error when a file cannot be written.
  void open(const GraphVectorPaths& paths);

  // A row for each name. Relations' inverses have no names of their own: they follow as
  // "NAME_reverse".
  void write(const Names& entity_names, const Names& relation_names, const KgModel& model);
};

}  // namespace acevec
