// Tests of sentence/model: where learning begins.

#include "tasks/sentence/model.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

SentenceModel started(EncoderKind encoder) {
  SentenceModel model(Vocabulary({{"often", 90}, {"rare", 10}}, 1, 0),
                      {TokenMode::kSpace, 2, false, encoder});
  start_model(model, 1);
  return model;
}

}  // namespace

TEST_CASE("two networks begin differently, and words of a bag with the weights of SIF") {
  SentenceModel model = started(EncoderKind::kBag);
  CHECK(model.f.rows.row(0)[0] != model.g().rows.row(0)[0]);
  for (const Network* const network : {&model.f, &model.g()}) {
    CHECK(std::exp(network->rows.row(0)[2]) == doctest::Approx(0.001 / (0.001 + 0.9)));
    CHECK(std::exp(network->rows.row(1)[2]) == doctest::Approx(0.001 / (0.001 + 0.1)));
    CHECK(network->gates.rows() == 0);
  }
  model = started(EncoderKind::kGru);
  CHECK(model.f.rows.columns() == 2);
  CHECK(model.f.gates.rows() == Gru::parameter_rows(2, 2));
  CHECK(model.f.gates.row(0)[0] != model.g().gates.row(0)[0]);
}

TEST_CASE("both networks start from the vectors that a file has, of a word the first") {
  const TemporaryFolder folder;
  const std::string path = folder.write("v", "3 2\nrare 1 2\nother 3 4\nrare 5 6\n");
  SentenceModel model = started(EncoderKind::kBag);
  const SentenceModel before = started(EncoderKind::kBag);
  CHECK(start_from(*open_start(path, model.shape), model) == 1);
  for (const Network* const network : {&model.f, &model.g()}) {
    CHECK(network->rows.row(1)[0] == 1);
    CHECK(network->rows.row(1)[1] == 2);
  }
  for (int64_t k = 0; k < 3; ++k) CHECK(model.f.rows.row(0)[k] == before.f.rows.row(0)[k]);
  CHECK(model.f.rows.row(1)[2] == before.f.rows.row(1)[2]);
  CHECK_THROWS_AS(open_start(folder.write("v3", "1 3\nrare 1 2 3\n"), model.shape), Error);
}

}  // namespace acevec
