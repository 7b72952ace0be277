#include "commands/layers.h"

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {

std::vector<int64_t> layers_of(const std::string& typed, size_t most_layers, int64_t most_units,
                               const char* advice) {
  if (typed == "0") return {};
  std::vector<int64_t> layers;
  for (const std::string_view part : split(typed, ",")) {
    const int64_t units = number_of<int64_t>(part).value_or(0);
    if (units < 1 || units > most_units || layers.size() == most_layers) throw Error(advice);
    layers.push_back(units);
  }
  return layers;
}

}  // namespace acevec
