// Order embeddings are written in units of the cut, cones as they are but within their bounds; the
// record beside a file says how to read it.

#include "tasks/order/answers.h"

#include <cmath>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include "tasks/order/geometry.h"
#include "tasks/order/tree.h"
#include "temporary_folder.h"
#include "vectors/word_vectors.h"

namespace acevec::order_file_test {
namespace {

// Concept i of a tree of 13 at 0.1 i on an axis.
Matrix on_axis() {
  Matrix vectors(13, 2);
  for (int64_t i = 0; i < 13; ++i) vectors.row(i)[0] = 0.1F * static_cast<float>(i);
  return vectors;
}

WordVectors written(Geometry geometry, const AnswerCut& cut) {
  const TemporaryFolder folder;
  const Matrix vectors = on_axis();
  RowWriter file(folder.path("v.bin"), VectorFormat::kBinary);
  write_order(tree(3, 2), {vectors, geometry}, cut, file);
  file.commit();
  return read_vectors(folder.path("v.bin"));
}

Matrix vectors_with(float number) {
  Matrix vectors(2, 3);
  vectors.row(1)[2] = number;
  return vectors;
}

}  // namespace

TEST_CASE("what has the cut's weighted penalty has one of 1 in the file") {
  const Matrix before = on_axis();
  const Answers answers({before});
  const AnswerCut cut{answers.weighted({5, 2}), {}};
  const WordVectors file = written(Geometry::kOrder, cut);
  CHECK(file.words[3] == "3");
  CHECK(Answers({file.vectors}).weighted({5, 2}) == doctest::Approx(1));
}

TEST_CASE("cones keep their length, and come back into the ball") {
  const Matrix before = on_axis();
  const WordVectors file = written(Geometry::kCone, {0.01F, {}});
  CHECK(file.vectors.row(5)[0] == before.row(5)[0]);
  CHECK(double{file.vectors.row(12)[0]} == doctest::Approx(kOuterRadius));
}

TEST_CASE("the cut is the best for the concepts of the development pairs") {
  const Hierarchy hierarchy = tree(3, 2);
  const Matrix vectors = on_axis();
  const Split split{hierarchy.lines, {{{4, 1}, {7, 0}}, {}}, {}};
  const Embedding embedding{vectors};
  const AnswerCut cut = answer_cut(hierarchy, split, embedding, 1);
  const AnswerCut wanted = choose_cut(
      Answers(embedding), generals_of(hierarchy.concepts.size(), hierarchy.lines), {4, 7}, 1);
  CHECK(cut.weighted == wanted.weighted);
  CHECK(cut.quality.recall > 0);
}

TEST_CASE("without a record a negative coordinate tells cones, whose unit nobody knows") {
  const TemporaryFolder folder;
  const std::string path = folder.path("v.bin.json");
  CHECK(read_beside(path, vectors_with(1)).geometry == Geometry::kOrder);
  const Reading reading = read_beside(path, vectors_with(-1));
  CHECK(reading.geometry == Geometry::kCone);
  CHECK(reading.unit == 0);
  CHECK(read_beside("", vectors_with(-1)).unit == 0);
}

TEST_CASE("a record says the geometry and the unit") {
  const TemporaryFolder folder;
  const std::string path = folder.path("v.bin.json");
  std::ofstream(path) << R"({"settings": {"geometry": "cone"}, "threshold": 0.25})";
  const Reading reading = read_beside(path, vectors_with(1));
  CHECK(reading.geometry == Geometry::kCone);
  CHECK(reading.unit == 0.25F);
}

TEST_CASE("a record that is none of ours, or damaged, says nothing") {
  const TemporaryFolder folder;
  const std::string path = folder.path("v.bin.json");
  for (const char* record :
       {"", "{", "[1, 2]", "null", "{\"settings\": 3}", "{\"settings\": {\"geometry\": 1}}",
        R"({"settings": {"geometry": "sphere"}})", "{\"threshold\": -1}", "{\"threshold\": \"1\"}",
        "{\"threshold\": 1e300}", "\xff\xfe"}) {
    CAPTURE(record);
    std::ofstream(path) << record;
    const Reading reading = read_beside(path, vectors_with(-1));
    CHECK(reading.geometry == Geometry::kCone);
    CHECK(reading.unit == 0);
  }
}

}  // namespace acevec::order_file_test
