// Order embeddings are written in units of the cut, cones as they are but within their bounds.

#include "tasks/order/write_order.h"

#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include "tasks/order/cones.h"
#include "tasks/order/tree.h"
#include "temporary_folder.h"
#include "vectors/word_vectors.h"

namespace acevec::write_order_test {
namespace {

// Concept i of a tree of 13 at 0.1 i on an axis.
Matrix on_axis() {
  Matrix vectors(13, 2);
  for (int64_t i = 0; i < 13; ++i) vectors.row(i)[0] = 0.1F * static_cast<float>(i);
  return vectors;
}

WordVectors written(Geometry geometry, const AnswerCut& cut) {
  const TemporaryFolder folder;
  Matrix vectors = on_axis();
  RowWriter file(folder.path("v.bin"), VectorFormat::kBinary);
  write_order(tree(3, 2), vectors, geometry, cut, file);
  file.commit();
  return read_vectors(folder.path("v.bin"));
}

}  // namespace

TEST_CASE("what has the cut's weighted penalty has one of 1 in the file") {
  const Matrix before = on_axis();
  const Answers answers{Embedding(before)};
  const AnswerCut cut{answers.weighted({5, 2}), {}};
  const WordVectors file = written(Geometry::kOrder, cut);
  CHECK(file.words[3] == "3");
  CHECK(Answers(Embedding(file.vectors)).weighted({5, 2}) == doctest::Approx(1));
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
  const Embedding embedding(vectors);
  const AnswerCut cut = answer_cut(hierarchy, split, embedding, 1);
  const AnswerCut wanted = choose_cut(
      Answers(embedding), generals_of(hierarchy.concepts.size(), hierarchy.lines), {4, 7}, 1);
  CHECK(cut.weighted == wanted.weighted);
  CHECK(cut.quality.recall > 0);
}

}  // namespace acevec::write_order_test
