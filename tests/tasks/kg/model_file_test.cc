// Models out and in again, and files that are none.

#include "tasks/kg/model_file.h"

#include <array>
#include <limits>
#include <string>

#include <doctest/doctest.h>
#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

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

}  // namespace

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
  const KgModel wanted = initial_model({ScoreKind::kComplEx, 20, true}, 3, 1, 5);
  CheckpointWriter output(path);
  write_kg(small_graph(), wanted, output);
  output.commit();
  const KgFile file = read_kg(path);
  CHECK(file.model.shape.reciprocal);
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
  int64_t score = 1, norm = 0, size = 2, reciprocal = 0;
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
  file.put("shape", std::array{parts.score, parts.norm, parts.size, parts.reciprocal});
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
      {.score = 5},        {.score = -1},         {.norm = 2},         {.size = 0},
      {.reciprocal = 2},   {.size = 100001},      {.size = 99999},     {.score = 3, .size = 1},
      {.entities = twice}, {.entities = "oslo"},  {.entities = ""},    {.entities = "a\nb\nc\n"},
      {.number = none},    {.triple = {0, 1, 1}}, {.triple{-1, 0, 1}}, {.triple = {0, 0, 2}}};
  for (const Parts& parts : impossible) {
    CAPTURE(&parts - impossible);
    CHECK(outcome(parts).find("is not a model of acevec kg, or is damaged") != std::string::npos);
  }
}

TEST_CASE("a model of acevec 0.2.0 is refused in a line of its own") {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.kg", "acevec-kg 1 transd l1 5 2 1 0\noslo\n");
  CHECK_THROWS_WITH_AS(read_kg(path), doctest::Contains("was written by acevec 0.2.0"), Error);
}

TEST_CASE("numbers that are none are not written") {
  const TemporaryFolder folder;
  KgModel model = initial_model({ScoreKind::kTransE, 20}, 3, 1, 5);
  model.entities.row(1)[3] = std::numeric_limits<float>::infinity();
  CheckpointWriter file(folder.path("model"));
  CHECK_THROWS_AS(write_kg(small_graph(), model, file), Error);
}

}  // namespace acevec
