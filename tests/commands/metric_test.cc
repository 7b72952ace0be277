// What follows from the options of acevec metric.

#include <doctest/doctest.h>

#include "base/error.h"
#include "commands/training_call.h"

namespace acevec {
namespace {

std::string metric_value(const std::string& option, std::vector<std::string> typed) {
  typed.insert(typed.end(), {"-train", "p", "-labels", "l"});
  return TrainingCall(make_metric, std::move(typed)).value(option);
}

}  // namespace

TEST_CASE("only learned and critical negatives weigh scores, and only learned ones are mixed") {
  CHECK(metric_value("ace-beta", {"-ace-beta", "7"}) == "7");
  CHECK(metric_value("ace-beta", {"-ace-sampler", "critic", "-ace-beta", "7"}) == "7");
  CHECK(metric_value("ace-lambda", {"-ace-lambda", "0.25"}) == "0.25");
  CHECK(metric_value("ace-beta", {"-ace-sampler", "hardest"}) == "-");
  CHECK_THROWS_AS(metric_value("ace-lambda", {"-ace-sampler", "critic", "-ace-lambda", "1"}),
                  UsageError);
}

TEST_CASE("layers are numbers of units, and 0 is none") {
  CHECK(metric_value("hidden", {"-hidden", "64,32,8"}) == "64,32,8");
  CHECK(metric_value("hidden", {"-hidden", "0"}) == "0");
  for (const char* const typed : {"", "3,", "3,x", "-1", "1048577"}) {
    CAPTURE(typed);
    CHECK_THROWS_AS(metric_value("hidden", {"-hidden", typed}), UsageError);
  }
}

TEST_CASE("contradictions between the options of metric are refused") {
  CHECK(metric_value("patience", {"-heldout", "0.1", "-patience", "2"}) == "2");
  CHECK_THROWS_AS(metric_value("patience", {"-patience", "2"}), UsageError);
  CHECK_THROWS_AS(metric_value("batch", {"-batch", "5"}), UsageError);
  CHECK_THROWS_AS(metric_value("valid", {"-valid", "v", "-heldout", "0.1"}), UsageError);
}

}  // namespace acevec
