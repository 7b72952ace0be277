// Where models start, and their entities in columns.

#include "tasks/kg/model.h"

#include <cmath>

#include <doctest/doctest.h>

namespace acevec {
namespace {

double length(const float* row, int64_t size) {
  double squares = 0;
  for (int64_t k = 0; k < size; ++k) squares += static_cast<double>(row[k] * row[k]);
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("entities and relations start with vectors of length 1 and short projections") {
  const KgModel model = initial_model({ScoreKind::kTransD, 20}, 5, 2, 1);
  for (const Matrix* matrix : {&model.entities, &model.relations}) {
    for (int64_t i = 0; i < matrix->rows(); ++i) {
      CHECK(length(matrix->row(i), 20) == doctest::Approx(1));
      CHECK(length(matrix->row(i) + padded(20), 20) == doctest::Approx(0.1));
      CHECK(length(matrix->row(i) + 20, padded(20) - 20) == 0);
    }
  }
  CHECK(model.entities.row(0)[0] != model.entities.row(1)[0]);
  CHECK(model.entities.row(0)[0] !=
        initial_model({ScoreKind::kTransD, 20}, 5, 2, 2).entities.row(0)[0]);
}

TEST_CASE("columns hold every entity with its shift") {
  const KgModel model = initial_model({ScoreKind::kTransD, 20}, 40, 1, 1);
  const Columns columns = columns_of(model);
  for (int64_t i = 0; i < 40; ++i) {
    CHECK(columns.shifts()[i] == model.score->shift(model.entities.row(i)));
    for (int64_t k = 0; k < 20; ++k) CHECK(columns.coordinate(k)[i] == model.entities.row(i)[k]);
  }
}

TEST_CASE("with reverses a triple's distance is the mean of both directions") {
  const KgModel model = initial_model({ScoreKind::kComplEx, 8, true}, 5, 2, 1);
  const auto distance = [&](int32_t head, int32_t relation, int32_t tail) {
    return model.score->distance(model.entities.row(head), model.relations.row(relation),
                                 model.entities.row(tail));
  };
  CHECK(model.distance({1, 0, 4}) == doctest::Approx((distance(1, 0, 4) + distance(4, 2, 1)) / 2));
}

}  // namespace acevec
