// Training that starts from an older model: which rows are its, and which models do not fit.

#include "tasks/kg/start.h"

#include <algorithm>
#include <initializer_list>

#include <doctest/doctest.h>
#include "base/error.h"
#include "temporary_folder.h"

namespace acevec::start_test {
namespace {

constexpr KgShape kShape{ScoreKind::kComplEx, 20, true};

Graph graph_of(std::initializer_list<const char*> entities,
               std::initializer_list<const char*> relations) {
  Graph graph;
  for (const char* name : entities) graph.entities.add(name);
  for (const char* name : relations) graph.relations.add(name);
  graph.train.triples = {{0, 0, 1}};
  return graph;
}

std::string written(const TemporaryFolder& folder) {
  const Graph graph = graph_of({"oslo", "bonn", "norway"}, {"in", "near"});
  CheckpointWriter file(folder.path("model"));
  write_kg(graph, initial_model(kShape, 3, 2, 5), file);
  file.commit();
  return folder.path("model");
}

bool same(const float* a, const float* b) {
  return std::equal(a, a + kShape.size, b);
}

}  // namespace

TEST_CASE("known names get the old vectors, of inverses too, and new names keep theirs") {
  const TemporaryFolder folder;
  const KgFile old = read_start(written(folder), kShape);
  const Graph graph = graph_of({"lima", "norway", "oslo", "peru"}, {"near", "of", "in"});
  KgModel model = initial_model(kShape, 4, 3, 6);
  const KgModel fresh = initial_model(kShape, 4, 3, 6);
  const KnownRows found = start_from(old, graph, model);
  CHECK(found.entities == 2);
  CHECK(found.relations == 2);
  CHECK(same(model.entities.row(0), fresh.entities.row(0)));
  CHECK(same(model.entities.row(1), old.model.entities.row(2)));
  CHECK(same(model.entities.row(2), old.model.entities.row(0)));
  CHECK(same(model.entities.row(3), fresh.entities.row(3)));
  CHECK(same(model.relations.row(0), old.model.relations.row(1)));
  CHECK(same(model.relations.row(1), fresh.relations.row(1)));
  CHECK(same(model.relations.row(2), old.model.relations.row(0)));
  CHECK(same(model.relations.row(3), old.model.relations.row(3)));  // inverses
  CHECK(same(model.relations.row(4), fresh.relations.row(4)));
  CHECK(same(model.relations.row(5), old.model.relations.row(2)));
}

TEST_CASE("a model of another shape is refused") {
  const TemporaryFolder folder;
  const std::string path = written(folder);
  KgShape shape = kShape;
  SUBCASE("score") {
    shape.score = ScoreKind::kDistMult;
  }
  SUBCASE("size") {
    shape.size = 22;
  }
  SUBCASE("inverses") {
    shape.reciprocal = false;
  }
  CHECK_THROWS_AS(read_start(path, shape), Error);
}

}  // namespace acevec::start_test
