// Models, their files, and models that start from older ones.

#include "tasks/kg/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>

#include <doctest/doctest.h>
#include "base/error.h"
#include "temporary_folder.h"

namespace acevec::kg_model_test {
namespace {

double length(const float* row, int64_t size) {
  double squares = 0;
  for (int64_t k = 0; k < size; ++k) squares += static_cast<double>(row[k] * row[k]);
  return std::sqrt(squares);
}

Graph small_graph() {
  Graph graph;
  for (const char* name : {"oslo", "bonn by night", "norway"}) graph.entities.add(name);
  graph.relations.add("in");
  graph.train.triples = {{0, 0, 2}, {1, 0, 2}};
  return graph;
}

std::string written(const TemporaryFolder& folder, ScoreKind kind) {
  const Graph graph = small_graph();
  const std::string path = folder.path("model");
  CheckpointWriter file(path);
  write_kg(graph, initial_model({kind, 20}, 3, 1, 5), file);
  file.commit();
  return path;
}

bool same_rows(const Matrix& a, const Matrix& b) {
  for (int64_t i = 0; i < a.rows() * a.stride(); ++i) {
    if (a.row(0)[i] != b.row(0)[i]) return false;
  }
  return a.rows() == b.rows() && a.stride() == b.stride();
}

constexpr KgShape kShape{ScoreKind::kComplEx, 20};

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

TEST_CASE("with reverses a triple's distance is the mean of both directions") {
  const KgModel model = initial_model({ScoreKind::kComplEx, 8}, 5, 2, 1);
  const auto distance = [&](int32_t head, int32_t relation, int32_t tail) {
    return model.score->distance(model.entities.row(head), model.relations.row(relation),
                                 model.entities.row(tail));
  };
  CHECK(model.distance({1, 0, 4}) == doctest::Approx((distance(1, 0, 4) + distance(4, 2, 1)) / 2));
}

TEST_CASE("a model comes back from its file as it was") {
  for (const ScoreKind kind : kScoreKinds) {
    const TemporaryFolder folder;
    const KgFile file = read_kg(written(folder, kind));
    const KgModel wanted = initial_model({kind, 20}, 3, 1, 5);
    CHECK(file.entities.all() == small_graph().entities.all());
    CHECK(file.relations.all() == small_graph().relations.all());
    CHECK(file.known == small_graph().train.triples);
    CHECK(file.model.shape.score == kind);
    CHECK(same_rows(file.model.entities, wanted.entities));
    CHECK(same_rows(file.model.relations, wanted.relations));
  }
}

TEST_CASE("reverses come back from a model's file") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model");
  const KgModel wanted = initial_model({ScoreKind::kComplEx, 20}, 3, 1, 5);
  CheckpointWriter output(path);
  write_kg(small_graph(), wanted, output);
  output.commit();
  const KgFile file = read_kg(path);
  CHECK(file.model.relation_count() == 1);
  CHECK(file.model.relations.rows() == 2);
  CHECK(same_rows(file.model.entities, wanted.entities));
  CHECK(same_rows(file.model.relations, wanted.relations));
}

TEST_CASE("no byte of a model's file can be lost or changed unseen") {
  const TemporaryFolder folder;
  const std::string bytes =
      folder.read(std::filesystem::path(written(folder, ScoreKind::kTransD)).filename());
  REQUIRE(bytes.size() > 500);
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    const std::string path = folder.write("changed", changed);
    REQUIRE_THROWS_AS(read_kg(path), Error);
  }
  for (size_t size = 0; size < bytes.size(); size += 7) {
    const std::string path = folder.write("cut", bytes.substr(0, size));
    REQUIRE_THROWS_AS(read_kg(path), Error);
  }
  CHECK_THROWS_AS(read_kg(folder.write("longer", bytes + "x")), Error);
}

namespace {

// The parts of a model's file, of two entities and a relation unless said otherwise.
struct Parts {
  int64_t score = 1, norm = 0, size = 2, inverses = 0;
  std::string entities = "oslo\nnorway\n";
  float number = 1;
  Triple triple{0, 0, 1};
};

// What comes of reading a file of these.
std::string outcome(const Parts& parts) {
  const TemporaryFolder folder;
  Matrix rows(2, 16), relation(1, 16);
  rows.row(1)[1] = parts.number;
  CheckpointWriter file(folder.path("model"));
  file.put<int64_t>("acevec kg", 2);
  file.put("shape", std::array{parts.score, parts.norm, parts.size, parts.inverses});
  file.put("entities", parts.entities);
  file.put("relations", std::string("in\n"));
  rows.save("entity vectors", file);
  relation.save("relation vectors", file);
  file.put("triples", std::vector{parts.triple});
  file.commit();
  try {
    read_kg(folder.path("model"));
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

}  // namespace

TEST_CASE("a file that says the impossible of itself is refused, and takes no memory") {
  CHECK(outcome({}) == "read");
  const float none = std::numeric_limits<float>::quiet_NaN();
  const std::string twice = "oslo\noslo\n";
  const Parts impossible[] = {
      {.score = 7},        {.score = -1},         {.norm = 2},         {.size = 0},
      {.inverses = 1},     {.size = 100001},      {.size = 99999},     {.score = 3, .size = 1},
      {.entities = twice}, {.entities = "oslo"},  {.entities = ""},    {.entities = "a\nb\nc\n"},
      {.number = none},    {.triple = {0, 1, 1}}, {.triple{-1, 0, 1}}, {.triple = {0, 0, 2}}};
  for (const Parts& parts : impossible) {
    CAPTURE(&parts - impossible);
    CHECK(outcome(parts).find("is not a model of acevec kg, or is damaged") != std::string::npos);
  }
}

TEST_CASE("numbers that are none are not written") {
  const TemporaryFolder folder;
  KgModel model = initial_model({ScoreKind::kTransE, 20}, 3, 1, 5);
  model.entities.row(1)[3] = std::numeric_limits<float>::infinity();
  CheckpointWriter file(folder.path("model"));
  CHECK_THROWS_AS(write_kg(small_graph(), model, file), Error);
}

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
  CHECK_THROWS_AS(read_start(path, shape), Error);
}

TEST_CASE("relations' inverses follow under names of their own, and names have no blanks") {
  const TemporaryFolder folder;
  KgModel model({ScoreKind::kDistMult, 2}, 2, 1);
  model.entities.row(1)[0] = 0.5F;
  model.relations.row(0)[1] = 2;
  model.relations.row(1)[1] = -2;
  Names entities, relations;
  entities.add("new york");
  entities.add("rome");
  relations.add("lies in");
  GraphVectorFiles files;
  files.open({folder.path("e.txt"), folder.path("r.glove")});
  files.write(entities, relations, model);
  commit_together(files.entities, files.relations);
  CHECK(folder.read("e.txt") == "2 2\nnew_york 0 0\nrome 0.5 0\n");
  CHECK(folder.read("r.glove") == "lies_in 0 2\nlies_in_reverse 0 -2\n");
}

TEST_CASE("a file that is not wanted is not written, and an unknown ending is refused") {
  const TemporaryFolder folder;
  GraphVectorFiles files;
  files.open({});
  CHECK_FALSE(files.entities);
  CHECK_THROWS_AS(files.open({folder.path("e.xyz"), ""}), UsageError);
  CHECK(folder.entries() == 0);
}

}  // namespace acevec::kg_model_test
