// Models out and in again, and files that are none.

#include "tasks/kg/model_file.h"

#include <zlib.h>

#include <cstring>
#include <limits>
#include <string>
#include <string_view>

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
  OutputFile file(path);
  write_kg(graph, initial_model(kind, Norm::kL2, 20, 3, 1, 5), file);
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
    const KgModel wanted = initial_model(kind, Norm::kL2, 20, 3, 1, 5);
    CHECK(file.entities.all() == small_graph().entities.all());
    CHECK(file.relations.all() == small_graph().relations.all());
    CHECK(file.known == small_graph().train.triples);
    CHECK(file.model.kind == kind);
    CHECK(file.model.norm == Norm::kL2);
    CHECK(same_rows(file.model.entities, wanted.entities));
    CHECK(same_rows(file.model.relations, wanted.relations));
  }
}

TEST_CASE("reverses come back from a model's file") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model");
  const KgModel wanted = initial_model(ScoreKind::kComplEx, Norm::kL1, 20, 3, 1, 5, true);
  OutputFile output(path);
  write_kg(small_graph(), wanted, output);
  output.commit();
  const KgFile file = read_kg(path);
  CHECK(file.model.reciprocal);
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

TEST_CASE("a first line that declares too much allocates no memory") {
  const TemporaryFolder folder;
  for (const char* line :
       {"acevec-kg 1 transd l1 50 2147483647 1 0\n", "acevec-kg 1 transd l1 99999999999 2 1 0\n",
        "acevec-kg 1 transd l1 0 2 1 0\n", "acevec-kg 1 transd l1 5 2 1 -1\n",
        "acevec-kg 2 transd l1 5 2 1 0\n", "acevec-kg 1 rescal l1 5 2 1 0\n",
        "acevec-kg 1 complex l1 5 2 1 0\n", "acevec-kg 1 transd l1 5 2 1 0 twice\n"}) {
    CAPTURE(line);
    CHECK_THROWS_AS(read_kg(folder.write("model", line + std::string(100, 'x'))), Error);
  }
}

TEST_CASE(
    "an unknown norm and numbers that are not finite are refused, however right the checksum") {
  const TemporaryFolder folder;
  const std::string bytes =
      folder.read(std::filesystem::path(written(folder, ScoreKind::kTransE)).filename());
  const auto refusal = [&](size_t at, std::string_view by) {
    std::string changed = bytes;
    changed.replace(at, by.size(), by);
    const size_t end = changed.size() - sizeof(uint32_t);
    const auto sum = static_cast<uint32_t>(
        crc32_z(0, reinterpret_cast<const unsigned char*>(changed.data()), end));
    std::memcpy(changed.data() + end, &sum, sizeof sum);
    try {
      read_kg(folder.write("changed", changed));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  CHECK(refusal(bytes.find("oslo"), "kiev") == "read");
  CHECK(refusal(bytes.find(" l2 "), " l7 ").find("damaged first line") != std::string::npos);
  const size_t first_number = bytes.find("\nin\n") + 4;
  CHECK(refusal(first_number, std::string_view("\0\0\xc0\x7f", 4)).find("not finite") !=
        std::string::npos);
  CHECK(refusal(first_number + 3 * 80, std::string_view("\0\0\x80\xff", 4)).find("not finite") !=
        std::string::npos);
}

TEST_CASE("numbers that are none are not written") {
  const TemporaryFolder folder;
  KgModel model = initial_model(ScoreKind::kTransE, Norm::kL1, 20, 3, 1, 5);
  model.entities.row(1)[3] = std::numeric_limits<float>::infinity();
  OutputFile file(folder.path("model"));
  CHECK_THROWS_WITH_AS(write_kg(small_graph(), model, file), doctest::Contains("bonn"), Error);
}

}  // namespace acevec
