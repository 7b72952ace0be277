// Tests of sentence/centre: the mean of the text's vectors becomes 0, on any number of threads.

#include "tasks/sentence/centre.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tasks/sentence/encoder.h"
#include "tasks/sentence/toy_text.h"

namespace acevec {

TEST_CASE("vectors of the text lie around 0 when it has been centred") {
  const SentenceCorpus corpus =
      corpus_of(toy_text(40));  // more sentences than are encoded together
  REQUIRE(corpus.sentences() > kEncodedTogether);
  SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 5, false});
  start_model(model, 1);
  centre(corpus, 1, model);
  std::vector<std::vector<int32_t>> sentences;
  for (int64_t i = 0; i < corpus.sentences(); ++i) {
    sentences.emplace_back(corpus.sentence(i).begin(), corpus.sentence(i).end());
  }
  Matrix vectors(corpus.sentences(), model.columns());
  SentenceEncoder(model).encode(sentences, vectors, 0);
  for (int64_t k = 0; k < model.columns(); ++k) {
    CHECK(model.centre[static_cast<size_t>(k)] != 0);
    double mean = 0;
    for (int64_t i = 0; i < vectors.rows(); ++i) mean += double{vectors.row(i)[k]};
    CHECK(std::abs(mean / static_cast<double>(vectors.rows())) < 1e-6);
  }
  SentenceModel other(corpus.vocabulary(), model.shape);
  start_model(other, 1);
  centre(corpus, 3, other);
  CHECK(other.centre == model.centre);
}

}  // namespace acevec
