#include "tasks/kg/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "train/model_container.h"

namespace acevec {
namespace {

// Fills and scales each part of each row, as TransE does (Bordes et al. 2013, algorithm 1).
void fill_rows(Matrix& matrix, int64_t size, Random& random) {
  const float range = 6 / std::sqrt(static_cast<float>(size));
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    for (int64_t first = 0; first < matrix.stride(); first += padded(size)) {
      float* const part = matrix.row(i) + first;
      for (int64_t k = 0; k < size; ++k) part[k] = range * (2 * random.uniform() - 1);
      const float squares = std::inner_product(part, part + size, part, 0.0F);
      const float scale = (first == 0 ? 1.0F : 0.1F) / std::sqrt(squares);
      for (int64_t k = 0; k < size; ++k) part[k] *= scale;
    }
  }
}

constexpr ModelKind kKind{"acevec kg", 2};
constexpr int64_t kLargestSize = 100000;

// The shape as stored: the score's index in its enum; 0, the norm L1; the size; 1 with inverses.
struct ShapeNumbers {
  int64_t score, norm, size, inverses;
};

KgShape read_shape(CheckpointReader& file) {
  const auto numbers = file.get<ShapeNumbers>("shape");
  require_possible(numbers.score >= 0 && numbers.score < std::ssize(kScoreKinds));
  require_possible(numbers.norm == 0);
  require_possible(numbers.size > 0 && numbers.size <= kLargestSize);
  const KgShape shape{kScoreKinds[numbers.score], numbers.size};
  require_possible(!traits_of(shape.score).is_complex || shape.size % 2 == 0);
  require_possible(numbers.inverses == (shape.has_inverses() ? 1 : 0));
  return shape;
}

Names read_names(const std::string& part, CheckpointReader& file) {
  Names names;
  for (const std::string& name : get_lines(part, file)) {
    const int32_t next = names.size();
    require_possible(names.add(name) == next);  // no duplicates
  }
  require_possible(names.size() > 0);
  return names;
}

KgFile read(CheckpointReader& file) {
  const KgShape shape = read_shape(file);
  Names entities = read_names("entities", file);
  Names relations = read_names("relations", file);
  const int64_t rows = entities.size() + shape.relation_rows(relations.size());
  require_room(rows * traits_of(shape.score).make(shape.size)->width(), file);
  KgModel model(shape, entities.size(), relations.size());
  get_trained("entity vectors", model.entities, file);
  get_trained("relation vectors", model.relations, file);
  std::vector<Triple> known;
  file.get("triples", known);
  const auto is_one = [](int32_t id, const Names& names) { return id >= 0 && id < names.size(); };
  for (const Triple& triple : known) {
    require_possible(is_one(triple.head, entities) && is_one(triple.tail, entities) &&
                     is_one(triple.relation, relations));
  }
  return {std::move(entities), std::move(relations), std::move(model), std::move(known)};
}

std::string described(const KgShape& shape) {
  return format("-score %s, -size %ld and %sinverse relations", traits_of(shape.score).name,
                static_cast<long>(shape.size), shape.has_inverses() ? "" : "no ");
}

// Copies rows by name, in each block of rows of relations. Returns the number of shared names.
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

// Writes the first `size` numbers of each row, its vector.
void write_named(const Names& names, const Matrix& rows, int64_t size, RowWriter& file) {
  file.begin(rows.rows(), size);
  for (int32_t row = 0; row < rows.rows(); ++row) {
    const std::string word = as_word(names.name(row % names.size()));
    file.write(row < names.size() ? word : word + "_reverse", rows.row(row));
  }
}

}  // namespace

KgModel::KgModel(const KgShape& wanted, int64_t entity_count, int64_t relation_count)
    : shape(wanted),
      score(traits_of(wanted.score).make(wanted.size)),
      entities(entity_count, score->width()),
      relations(wanted.relation_rows(relation_count), score->width()) {}

float KgModel::distance(const Triple& triple) const {
  const float* const head = entities.row(triple.head);
  const float* const tail = entities.row(triple.tail);
  const float forwards = score->distance(head, relations.row(triple.relation), tail);
  if (!shape.has_inverses()) return forwards;
  return (forwards + score->distance(tail, inverse(triple.relation), head)) / 2;
}

const float* KgModel::query_point(Side side, const Triple& triple, float* point) const {
  const bool inverted = shape.has_inverses() && side == Side::kHead;
  const float* const relation =
      inverted ? inverse(triple.relation) : relations.row(triple.relation);
  score->query_point(inverted ? Side::kTail : side, entities.row(entity(triple, other(side))),
                     relation, point);
  return relation;
}

KgModel initial_model(const KgShape& shape, int64_t entities, int64_t relations, uint64_t seed) {
  KgModel model(shape, entities, relations);
  Random random(seed, Stream::kKgStart);
  fill_rows(model.entities, shape.size, random);
  fill_rows(model.relations, shape.size, random);
  return model;
}

void write_kg(const Graph& graph, const KgModel& model, CheckpointWriter& file) {
  const KgShape& shape = model.shape;
  file.put(kKind.command, kKind.version);
  file.put("shape", ShapeNumbers{static_cast<int64_t>(shape.score), 0, shape.size,
                                 shape.has_inverses() ? 1 : 0});
  put_lines("entities", graph.entities.all(), file);
  put_lines("relations", graph.relations.all(), file);
  put_trained("entity vectors", model.entities, file);
  put_trained("relation vectors", model.relations, file);
  file.put("triples", graph.train.triples);
}

KgFile read_kg(const std::string& path) {
  return read_model(path, kKind, read);
}

KgFile read_start(const std::string& path, const KgShape& shape) {
  KgFile old = read_kg(path);
  const KgShape& had = old.model.shape;
  if (had.score == shape.score && had.size == shape.size) return old;
  throw Error(
      format("cannot start from %s: it has %s, and this run %s; give its -score, -size and -loss",
             path.c_str(), described(had).c_str(), described(shape).c_str()));
}

KnownRows start_from(const KgFile& old, const Graph& graph, KgModel& model) {
  return {copy_rows(old.entities, old.model.entities, graph.entities, model.entities),
          copy_rows(old.relations, old.model.relations, graph.relations, model.relations)};
}

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
