// What follows from the options of acevec metric.

#include "commands/metric_arguments.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

constexpr CommandText kMetric{"metric", "acevec metric", "Trains.\n"};

struct MetricCall final : CommandLine {
  explicit MetricCall(const std::vector<std::string>& more) : CommandLine(kMetric) {
    declare_metric(arguments, run_arguments, table());
    std::vector<std::string> typed{"-train", "p", "-labels", "l", "-output", folder.path("m")};
    typed.insert(typed.end(), more.begin(), more.end());
    parse(typed);
    resolve_metric(arguments, run_arguments, *this);
  }
  void run() override {}

  TemporaryFolder folder;
  MetricJobSettings arguments;
  RunArguments run_arguments;
};

}  // namespace

TEST_CASE("only learned negatives have an adversary, which weighs scores as the options say") {
  const MetricCall learned({"-ace-beta", "7", "-ace-lambda", "0.25", "-seed", "3"});
  CHECK(learned.arguments.training.has_adversary());
  CHECK(learned.arguments.training.beta == 7);
  CHECK(learned.arguments.training.lambda == 0.25);
  CHECK(learned.arguments.training.seed == 3);
  CHECK_FALSE(MetricCall({"-ace-sampler", "hardest"}).arguments.training.has_adversary());
  CHECK_FALSE(MetricCall({"-ace-sampler", "critic"}).arguments.training.has_adversary());
}

TEST_CASE("layers are numbers of units, and 0 is none") {
  CHECK(MetricCall({"-hidden", "64,32,8"}).arguments.shape.hidden ==
        std::vector<int64_t>{64, 32, 8});
  CHECK(MetricCall({"-hidden", "0"}).arguments.shape.hidden.empty());
  for (const char* const typed : {"", "3,", "3,x", "-1", "1048577"}) {
    CAPTURE(typed);
    CHECK_THROWS_AS(MetricCall({"-hidden", typed}), UsageError);
  }
}

TEST_CASE("the best model is kept where training may stop early, and contradictions are refused") {
  CHECK(MetricCall({"-heldout", "0.1", "-patience", "2"}).run_arguments.settings.keep_best);
  CHECK_FALSE(MetricCall({"-heldout", "0.1"}).run_arguments.settings.keep_best);
  CHECK_THROWS_AS(MetricCall({"-patience", "2"}), UsageError);
  CHECK_THROWS_AS(MetricCall({"-batch", "5"}), UsageError);
  CHECK_THROWS_AS(MetricCall({"-valid", "v", "-heldout", "0.1"}), UsageError);
}

}  // namespace acevec
