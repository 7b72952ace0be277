#include "tasks/kg/model.h"

#include <cmath>

namespace acevec {
namespace {

// Fills `size` floats, uniform in ±6/√size, as TransE does (Bordes et al. 2013, algorithm 1).
void fill(float* row, int64_t size, Random& random) {
  const float range = 6 / std::sqrt(static_cast<float>(size));
  for (int64_t k = 0; k < size; ++k) row[k] = range * (2 * random.uniform() - 1);
}

void scale_to(float* row, int64_t size, float length) {
  float squares = 0;
  for (int64_t k = 0; k < size; ++k) squares += row[k] * row[k];
  const float scale = length / std::sqrt(squares);
  for (int64_t k = 0; k < size; ++k) row[k] *= scale;
}

void fill_rows(Matrix& matrix, int64_t size, Random& random) {
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    for (int64_t part = 0; part < matrix.stride(); part += padded(size)) {
      fill(matrix.row(i) + part, size, random);
      scale_to(matrix.row(i) + part, size, part == 0 ? 1.0F : 0.1F);
    }
  }
}

}  // namespace

int64_t KgShape::floats(int64_t entities, int64_t relations) const {
  const std::unique_ptr<Score> wanted = make_score(score, size);
  return (entities + relation_rows(relations)) * wanted->width();
}

KgModel::KgModel(const KgShape& wanted, int64_t entity_count, int64_t relation_count)
    : shape(wanted),
      score(make_score(wanted.score, wanted.size)),
      entities(entity_count, score->width()),
      relations(wanted.relation_rows(relation_count), score->width()) {}

float KgModel::distance(const Triple& triple) const {
  const float* const head = entities.row(triple.head);
  const float* const tail = entities.row(triple.tail);
  const float forwards = score->distance(head, relations.row(triple.relation), tail);
  if (!shape.reciprocal) return forwards;
  return (forwards + score->distance(tail, inverse(triple.relation), head)) / 2;
}

const float* KgModel::ask(Side side, const Triple& triple, float* point) const {
  const bool inverted = shape.reciprocal && side == Side::kHead;
  const float* const relation =
      inverted ? inverse(triple.relation) : relations.row(triple.relation);
  score->ask(inverted ? Side::kTail : side, entities.row(entity(triple, other(side))), relation,
             point);
  return relation;
}

KgModel initial_model(const KgShape& shape, int64_t entities, int64_t relations, uint64_t seed) {
  KgModel model(shape, entities, relations);
  Random random(seed, Stream::kKgStart);
  fill_rows(model.entities, shape.size, random);
  fill_rows(model.relations, shape.size, random);
  return model;
}

Columns columns_of(const KgModel& model) {
  Columns columns(model.score->size(), model.entities.rows());
  for (int64_t i = 0; i < model.entities.rows(); ++i) {
    columns.set(i, model.entities.row(i), model.score->shift(model.entities.row(i)));
  }
  return columns;
}

}  // namespace acevec
