// The hidden layers of a network on a command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acevec {

// Parses the units of each layer, "256,128"; "0" is no layer. Throws Error with `advice` when there
// are more layers than that, a layer has more units, or the text is something else.
std::vector<int64_t> layers_of(const std::string& typed, size_t most_layers, int64_t most_units,
                               const char* advice);

}  // namespace acevec
