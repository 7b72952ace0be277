// A model: a score, and a row for each entity and each relation. Its file, in the container of
// base/checkpoint_file.h, has "acevec kg" (the version), "shape", "entities" and "relations"
// (names, one per line), the matrices "entity vectors" and "relation vectors", and "triples", those
// of -train as head, relation, tail (int32).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "math/matrix.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/score.h"
#include "vectors/row_writer.h"

namespace acevec {

struct KgShape {
  ScoreKind score = ScoreKind::kTransD;
  int64_t size = 50;  // dimension of the vectors

  // With the softmax each relation has a second row, for its inverse, by which heads are predicted
  // as tails (Lacroix et al. 2018).
  bool has_inverses() const { return !traits_of(score).learns_pairs; }
  int64_t relation_rows(int64_t relations) const { return (has_inverses() ? 2 : 1) * relations; }
};

struct KgModel {
  // All zeros. Throws std::bad_alloc.
  KgModel(const KgShape& wanted, int64_t entity_count, int64_t relation_count);

  // A triple's distance (Score); with inverses, the mean over both directions.
  float distance(const Triple& triple) const;

  // Maps a triple without the entity at `side` to a point, as Score::query_point() does. Returns
  // the row of the relation, or of its inverse, that the point belongs to.
  const float* query_point(Side side, const Triple& triple, float* point) const;

  // The number of relations, without inverses.
  int64_t relation_count() const { return relations.rows() / shape.relation_rows(1); }

  const float* inverse(int32_t relation) const {
    return relations.row(relation_count() + relation);
  }

  KgShape shape;
  std::unique_ptr<Score> score;
  Matrix entities, relations;
};

// The initial model: every part of every row has a random direction; entities have length 1.
KgModel initial_model(const KgShape& shape, int64_t entities, int64_t relations, uint64_t seed);

struct KgFile {
  Names entities, relations;
  KgModel model;
  std::vector<Triple> known;  // the training triples

  // The names in a column, an index of kTripleColumns.
  const Names& names(size_t column) const {
    return kTripleColumns[column] == &Triple::relation ? relations : entities;
  }
};

// The caller commits the file. Throws Error if a number is not finite or writing fails.
void write_kg(const Graph& graph, const KgModel& model, CheckpointWriter& file);

// Throws Error if the file is not a model, or is truncated or damaged.
KgFile read_kg(const std::string& path);

// Reads an initial model. Throws Error if it is not a model or has another shape.
KgFile read_start(const std::string& path, const KgShape& shape);

struct KnownRows {
  int64_t entities = 0, relations = 0;
};

// Copies the vectors of entities and relations with the same names; other rows are unchanged. Both
// models must have the same shape. Returns how many were copied.
KnownRows start_from(const KgFile& old, const Graph& graph, KgModel& model);

struct GraphVectorPaths {
  std::string entities, relations;  // empty: no file
};

// The requested files of a model's vectors, for other programs. The caller commits them.
struct GraphVectorFiles {
  std::optional<RowWriter> entities, relations;

  // Throws UsageError if an extension belongs to no format, and Error if a file cannot be written.
  void open(const GraphVectorPaths& paths);

  // Writes a row per name. The inverses of relations follow as "NAME_reverse".
  void write(const Names& entity_names, const Names& relation_names, const KgModel& model);
};

}  // namespace acevec
