// Tests of commands/shared_options: every choice of the table is read, each as a noise of its own.

#include "commands/shared_options.h"

#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "noise/kinds.h"

namespace acevec {

TEST_CASE("each noise has a word in the option table and a distribution of its own") {
  NoiseSettings defaults;
  OptionTable table;
  declare_noise(defaults, table);
  std::istringstream choices{table.find("noise")->argument};
  std::set<NoiseKind> kinds;
  std::set<std::vector<double>> distributions;
  for (std::string name; std::getline(choices, name, '|');) {
    NoiseSettings settings;
    OptionTable own;
    declare_noise(settings, own);
    own.find("noise")->set(name);
    CHECK(kinds.insert(settings.kind).second);
    CHECK(distributions.insert(noise_distribution(settings, {9, 5, 1}).probabilities).second);
  }
  const std::vector<NoiseKind> all = every_noise();
  CHECK(kinds == std::set<NoiseKind>(all.begin(), all.end()));
}

TEST_CASE("the budget follows from the noise") {
  NoiseSettings noise;
  OptionTable table;
  declare_noise(noise, table);
  const auto shown = [&](const char* name) { return table.find(name)->value(); };
  table.fill_defaults();
  CHECK(shown("noise-budget").empty());
  noise.kind = NoiseKind::kQcem;
  table.fill_defaults();
  CHECK(shown("noise-budget") == "0.9");
}

}  // namespace acevec
