#include "commands/layers.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/error.h"

namespace acevec {

std::vector<int64_t> layers_of(const std::string& typed, size_t most_layers, int64_t most_units,
                               const char* advice) {
  if (typed == "0") return {};
  std::vector<int64_t> layers;
  for (size_t start = 0; start <= typed.size();) {
    const size_t end = std::min(typed.find(',', start), typed.size());
    int64_t units = 0;
    const auto [stop, error] = std::from_chars(typed.data() + start, typed.data() + end, units);
    const bool whole = error == std::errc{} && stop == typed.data() + end;
    if (!whole || units < 1 || units > most_units || layers.size() == most_layers) {
      throw Error(advice);
    }
    layers.push_back(units);
    start = end + 1;
  }
  return layers;
}

}  // namespace acevec
