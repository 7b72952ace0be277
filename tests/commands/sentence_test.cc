// What follows from the options of acevec sentence.

#include <doctest/doctest.h>

#include "base/error.h"
#include "commands/training_call.h"

namespace acevec {
namespace {

std::string sentence_value(const std::string& option, std::vector<std::string> typed) {
  return TrainingCall(make_sentence, std::move(typed)).value(option);
}

}  // namespace

TEST_CASE("means are made of vectors, for features or for search") {
  CHECK(sentence_value("tokens", {"-train", "t", "-init", "v", "-format", "wiki"}) == "words");
  CHECK(sentence_value("tokens", {"-train", "t", "-init", "v"}) == "space");
  CHECK(sentence_value("for", {"-train", "t", "-init", "v"}) == "search");
  CHECK(sentence_value("for", {"-train", "t", "-init", "v", "-for", "features"}) == "features");
  CHECK_THROWS_AS(sentence_value("for", {"-train", "t"}), UsageError);
  CHECK_THROWS_AS(sentence_value("for", {"-train", "t", "-init", "v", "-iter", "3"}), UsageError);
}

TEST_CASE("what is learned decides the defaults of training") {
  const std::vector<std::string> bag{"-train", "t", "-encoder", "bag"};
  const std::vector<std::string> gru{"-train", "t", "-encoder", "gru"};
  const std::vector<std::string> pairs{"-pairs", "p"}, labels{"-labels", "l"};
  CHECK(sentence_value("rate", bag) == "0.005");
  CHECK(sentence_value("rate", gru) == "0.001");
  CHECK(sentence_value("rate", pairs) == "0.01");
  CHECK(sentence_value("rate", labels) == "0.005");
  CHECK(sentence_value("size", bag) == "100");
  CHECK(sentence_value("size", pairs) == "1000");
  CHECK(sentence_value("size", labels) == "100");
  CHECK(sentence_value("batch", gru) == "128");
  CHECK(sentence_value("batch", pairs) == "1024");
  CHECK(sentence_value("batch", labels) == "256");
  CHECK(sentence_value("ace", bag) == "0");
  CHECK(sentence_value("ace", pairs) == "1");
  CHECK(sentence_value("tokens", pairs) == "words");
  CHECK_THROWS_AS(sentence_value("for", {"-train", "t", "-encoder", "bag", "-for", "search"}),
                  UsageError);
}

}  // namespace acevec
