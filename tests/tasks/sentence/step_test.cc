// Passages of a text, and the limits of a batch of them.

#include "tasks/sentence/step.h"

#include <doctest/doctest.h>

#include <string>

#include "tasks/sentence/toy_text.h"

namespace acevec {
namespace {

// Documents of 5, 1 and 2 sentences; the one of 4 words stands in the first.
constexpr const char* kText = "a\na a\na a a a\na\na\n\na\n\na a\na\n";

}  // namespace

TEST_CASE("passages are cut at their length and where a document ends") {
  const SentenceCorpus corpus = corpus_of(kText);
  REQUIRE(corpus.sentences() == 8);
  std::string cuts;
  for (const Passage& passage : passages_of(corpus, 2)) {
    cuts += std::to_string(passage.first) + "-" + std::to_string(passage.last) + " ";
  }
  CHECK(cuts == "0-2 2-4 4-5 5-6 6-8 ");
}

TEST_CASE("a step has room for the passages with the most tokens") {
  const SentenceCorpus corpus = corpus_of(kText);
  const std::vector<Passage> passages = passages_of(corpus, 2);
  SentenceSettings settings;
  settings.batch = 5;
  settings.passage = 2;
  CHECK(passages_in_batch(settings) == 2);
  const BatchLimits limits = step_limits(corpus, passages, settings);
  CHECK(limits.sentences == 4);
  CHECK(limits.rows == 5 + 3);
}

}  // namespace acevec
