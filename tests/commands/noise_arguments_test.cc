// Tests of commands/noise_arguments: every choice of the table is read, each as a noise of its own.

#include "commands/noise_arguments.h"

#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace acevec {

TEST_CASE("each noise of the option table is read and has a distribution of its own") {
  NoiseArguments defaults;
  OptionTable table;
  declare_noise(defaults, table);
  std::istringstream choices{table.find("noise")->choices};
  std::set<NoiseKind> kinds;
  std::set<std::vector<double>> distributions;
  for (std::string name; std::getline(choices, name, '|');) {
    NoiseArguments arguments;
    OptionTable own;
    declare_noise(arguments, own);
    own.find("noise")->set(name);
    resolve_noise(arguments);
    const NoiseSettings& settings = arguments.settings;
    CHECK(kinds.insert(settings.kind).second);
    CHECK(distributions.insert(noise_distribution(settings, {9, 5, 1}).probabilities).second);
  }
  CHECK(kinds.size() > 1);
}

TEST_CASE("budgets that are not given follow from the precision") {
  NoiseArguments arguments;
  arguments.settings.kind = NoiseKind::kQcem;
  arguments.settings.qcem.budget.precision = Precision::kRelative;
  resolve_noise(arguments);
  CHECK(arguments.settings.qcem.budget.fraction == 0.03);
  arguments = {};
  arguments.settings.kind = NoiseKind::kEntropy;
  arguments.entropy_budget = 0.5;
  resolve_noise(arguments);
  CHECK(arguments.settings.entropy.fraction == 0.5);
}

}  // namespace acevec
