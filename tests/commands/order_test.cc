// What follows from the options of acevec order.

#include <doctest/doctest.h>

#include "base/error.h"
#include "commands/training_call.h"

namespace acevec {
namespace {

std::string order_value(const std::string& option, std::vector<std::string> typed) {
  typed.insert(typed.end(), {"-train", "p"});
  return TrainingCall(make_order, std::move(typed)).value(option);
}

}  // namespace

TEST_CASE("cones have defaults of their own, and what was typed stays") {
  CHECK(order_value("batch", {"-ace", "1"}) == "1000");
  const std::vector<std::string> cones{"-geometry", "cone", "-ace", "1"};
  CHECK(order_value("batch", cones) == "20");
  CHECK(order_value("report-every", cones) == "2000");
  CHECK(order_value("rate", cones) == "0.001");
  CHECK(order_value("ace-beta", cones) == "500");
  CHECK(order_value("batch", {"-geometry", "cone", "-batch", "7"}) == "7");
  CHECK(order_value("report-every", {"-geometry", "cone", "-report-every", "9"}) == "9");
  CHECK(order_value("ace-beta", {"-geometry", "cone"}) == "-");
}

TEST_CASE("options that leave nothing to learn from, or contradict, are refused") {
  CHECK_THROWS_AS(order_value("batch", {"-negative", "0"}), UsageError);
  CHECK(order_value("negative", {"-negative", "0", "-ace", "1"}) == "0");
  CHECK_THROWS_AS(order_value("start", {"-geometry", "cone", "-start", "random"}), UsageError);
  CHECK_THROWS_AS(order_value("ace-beta", {"-ace-beta", "2"}), UsageError);
}

}  // namespace acevec
