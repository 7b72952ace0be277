// Tests of noise/noise_options: every choice of the table is read, each as a noise of its own.

#include "noise/noise_options.h"

#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>

#include "noise/noise_command.h"

namespace acevec {

TEST_CASE("each noise of the option table is read and has a distribution of its own") {
  std::istringstream choices{std::string(kNoiseOptions[0].choices)};
  std::set<NoiseKind> kinds;
  std::set<std::vector<double>> distributions;
  for (std::string name; std::getline(choices, name, '|');) {
    const NoiseSettings settings = read_noise_settings(Options(kNoiseCommand, {"-noise", name}));
    CHECK(kinds.insert(settings.kind).second);
    CHECK(distributions.insert(noise_distribution(settings, {9, 5, 1}).probabilities).second);
  }
  CHECK(kinds.size() > 1);
}

TEST_CASE("a noise without code throws") {
  const NoiseSettings settings{.kind = static_cast<NoiseKind>(99)};
  CHECK_THROWS_AS(noise_distribution(settings, {2, 1}), std::logic_error);
}

}  // namespace acevec
