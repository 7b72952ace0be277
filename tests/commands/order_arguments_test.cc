// What follows from the options of acevec order.

#include "commands/order_arguments.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

constexpr CommandText kOrder{"order", "acevec order", "Trains.\n"};

struct OrderCall final : CommandLine {
  explicit OrderCall(const std::vector<std::string>& more) : CommandLine(kOrder) {
    declare_order(arguments, run_arguments, table());
    std::vector<std::string> typed{"-train", "p", "-output", folder.path("v")};
    typed.insert(typed.end(), more.begin(), more.end());
    parse(typed);
    resolve_order(arguments, run_arguments, *this);
  }
  void run() override {}

  // Batches between two evaluations.
  int64_t batches() const {
    return run_arguments.settings.evaluate_every->units / arguments.training.batch;
  }

  TemporaryFolder folder;
  OrderArguments arguments;
  RunArguments run_arguments;
};

}  // namespace

TEST_CASE("cones have defaults of their own, and what was typed stays") {
  const OrderCall order({"-ace", "1"});
  CHECK(order.arguments.training.batch != 20);
  CHECK(order.arguments.training.adversary->spare_possible);
  const OrderCall cones({"-geometry", "cone", "-ace", "1"});
  CHECK(cones.arguments.training.batch == 20);
  CHECK(cones.batches() == 2000);
  CHECK(cones.run_arguments.settings.plan.rate.start == 0.001);
  CHECK(cones.arguments.training.adversary->beta == 500);
  CHECK_FALSE(cones.arguments.training.adversary->spare_possible);
  const OrderCall typed({"-geometry", "cone", "-batch", "7", "-rate", "0.5", "-report-every", "9"});
  CHECK(typed.arguments.training.batch == 7);
  CHECK(typed.batches() == 9);
  CHECK(typed.run_arguments.settings.plan.rate.start == 0.5);
  CHECK_FALSE(typed.arguments.training.adversary);
}

TEST_CASE("pairs that others imply, left out, make other defaults") {
  OrderCall open({"-ace", "1"});
  resolve_open_pairs(open.arguments, open.run_arguments, open);
  CHECK(open.arguments.training.mask_noise);
  CHECK(open.arguments.training.batch == 100);
  CHECK(open.batches() == 2000);
  CHECK(open.arguments.training.adversary->negatives == 0.1);
  OrderCall typed({"-start", "random", "-batch", "7"});
  resolve_open_pairs(typed.arguments, typed.run_arguments, typed);
  CHECK_FALSE(typed.arguments.training.nested);
  CHECK(typed.arguments.training.batch == 7);
}

TEST_CASE("options that leave nothing to learn from, or contradict, are refused") {
  CHECK_THROWS_AS(OrderCall({"-negative", "0"}), UsageError);
  CHECK(OrderCall({"-negative", "0", "-ace", "1"}).arguments.training.negatives == 0);
  CHECK_THROWS_AS(OrderCall({"-geometry", "cone", "-start", "random"}), UsageError);
  CHECK_THROWS_AS(OrderCall({"-ace-beta", "2"}), UsageError);
}

}  // namespace acevec
