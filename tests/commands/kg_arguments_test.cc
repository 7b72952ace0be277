// The options of acevec kg beside what training has.

#include "commands/kg_arguments.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"

namespace acevec {
namespace {

constexpr CommandText kKg{"kg", "acevec kg", "Trains.\n"};

struct KgCall final : CommandLine {
  explicit KgCall(const std::vector<std::string>& more) : CommandLine(kKg) {
    declare_kg(arguments, run_arguments, table());
    std::vector<std::string> typed{"-train", "t.tsv", "-output", "v.kg"};
    typed.insert(typed.end(), more.begin(), more.end());
    parse(typed);
    resolve_kg(arguments, run_arguments, *this);
  }
  void run() override {}

  double rate() const { return run_arguments.settings.plan.rate.start; }

  KgArguments arguments;
  RunArguments run_arguments;
};

}  // namespace

TEST_CASE("the scores to choose from are those of training, and each sets its own") {
  KgArguments arguments;
  RunArguments run;
  OptionTable table;
  declare_kg(arguments, run, table);
  OptionRow& row = *table.find("score");
  CHECK(std::ranges::count(row.argument, '|') + 1 == std::ssize(kScoreKinds));
  for (const ScoreKind kind : kScoreKinds) {
    row.set(name_of(kind));
    CHECK(arguments.shape.score == kind);
  }
}

TEST_CASE("longer vectors have a lower learning rate, and what was typed stays") {
  CHECK(KgCall({"-size", "256"}).rate() == 0.4);
  CHECK(KgCall({}).rate() == 0.25);
  CHECK(KgCall({"-score", "distmult", "-size", "2000"}).rate() == 0.2);
  CHECK(KgCall({"-rate", "0.4"}).rate() == 0.4);
  CHECK_THROWS_AS(KgCall({"-score", "transe", "-loss", "softmax"}), UsageError);
  CHECK(KgCall({"-loss", "ns"}).rate() == 0.01);
}

TEST_CASE(
    "a softmax over drawn entities has a step's answers among them, pairs have no adversary") {
  const auto in_batch = [](const std::vector<std::string>& typed) {
    return KgCall(typed).arguments.training.in_batch;
  };
  CHECK(in_batch({}));
  CHECK(in_batch({"-score", "distmult"}));
  CHECK(!in_batch({"-ace", "0"}));
  CHECK(!in_batch({"-negative", "0"}));
  CHECK_THROWS_AS(KgCall({"-negative", "0", "-ace", "1"}), UsageError);
  const auto adversary = [](const std::vector<std::string>& typed) {
    return KgCall(typed).arguments.training.adversary.has_value();
  };
  CHECK(!adversary({}));
  CHECK(!adversary({"-score", "transd"}));
  CHECK(!adversary({"-loss", "ns"}));
  CHECK(adversary({"-score", "transd", "-ace", "1"}));
  CHECK(adversary({"-preset", "paper"}));
  CHECK(!adversary({"-preset", "paper", "-ace", "0"}));
}

}  // namespace acevec
