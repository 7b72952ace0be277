// Tests of sentence/corpus: documents, sentences and words that are kept, and ids of a line.

#include "tasks/sentence/corpus.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tasks/sentence/toy_text.h"

namespace acevec {

TEST_CASE("an empty line ends a document, and words seen rarely leave") {
  Source source = Source::of_text("\n\na b\nb rare a\n\n \nrare2\na\n\nb b");
  const SentenceCorpus corpus(source, {TextFormat::kText, TokenMode::kSpace, false, 2, 0});
  REQUIRE(corpus.sentences() == 4);
  CHECK(corpus.without() == 1);
  CHECK(corpus.sentence(1).size() == 2);
  CHECK(corpus.document(0) == corpus.document(1));
  CHECK(corpus.document(1) != corpus.document(2));
  CHECK(corpus.document(2) != corpus.document(3));
  CHECK(corpus.vocabulary().size() == 2);
}

TEST_CASE("paragraphs are split into sentences") {
  Source source = Source::of_text("It is 3.14. Is it? Yes!\nSo \xff it is.\n");
  const SentenceCorpus corpus(source, {TextFormat::kText, TokenMode::kSpace, true, 1, 0});
  CHECK(corpus.sentences() == 4);
  CHECK(corpus.documents() == 1);
}

TEST_CASE("long sentences are cut") {
  std::string text = "b\n";
  for (size_t i = 0; i <= kLongestSentence; ++i) text += "a ";
  const SentenceCorpus corpus = corpus_of(text);
  CHECK(corpus.cut() == 1);
  CHECK(corpus.sentence(0).size() == 1);
  CHECK(corpus.sentence(1).size() == kLongestSentence);
}

TEST_CASE("a line that is longer than a chunk of the text is one sentence") {
  const std::string text = "b b\n" + std::string(300 << 10, ' ') + "a b a\nb a\n" + "a " +
                           std::string(600 << 10, ' ') + "b";
  const SentenceCorpus corpus = corpus_of(text);
  REQUIRE(corpus.sentences() == 4);
  CHECK(corpus.sentence(1).size() == 3);
  CHECK(corpus.sentence(3).size() == 2);
  CHECK(corpus.report().lines == 4);
}

TEST_CASE("a line's ids are those of its words that are known, of the tokens that the mode makes") {
  const Vocabulary vocabulary({{"a", 3}, {"b", 2}, {".", 1}}, 1, 0);
  std::vector<int32_t> ids{7};
  CHECK(SentenceReader(vocabulary, TokenMode::kSpace).read("b c a. A a b", ids).tokens == 6);
  CHECK(ids == std::vector<int32_t>{1, 0, 1});
  CHECK(SentenceReader(vocabulary, TokenMode::kWords).read("b c a. A", ids).tokens == 5);
  CHECK(ids == std::vector<int32_t>{1, 0, 2, 0});
  CHECK(SentenceReader(vocabulary, TokenMode::kSpace).read("", ids).tokens == 0);
  CHECK(ids.empty());
}

}  // namespace acevec
