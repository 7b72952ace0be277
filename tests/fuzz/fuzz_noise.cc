// A file of counts, as acevec noise takes it: every noise distribution of any counts is one. The
// first two bytes choose the distribution and its budget.

#include <cmath>

#include "../noise/kinds.h"
#include "fuzz.h"
#include "text/vocabulary.h"

namespace acevec {
namespace {

NoiseSettings settings_from(uint8_t kind, uint8_t amount) {
  static const std::vector<NoiseKind> kinds = every_noise();
  NoiseSettings settings;
  settings.kind = kinds[kind % kinds.size()];
  settings.power = amount / 25.6;
  settings.budget = amount / 255.0;
  return settings;
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  if (size < 2) return 0;
  const MemoryFile file(view_of(data + 2, size - 2));
  accepted([&] {
    std::vector<int64_t> counts;
    for (const WordCount& word : read_vocabulary(file.path(), 1)) counts.push_back(word.count);
    const Noise noise = noise_distribution(settings_from(data[0], data[1]), counts);
    REQUIRE_ALWAYS(noise.probabilities.size() == counts.size());
    double sum = 0;
    for (const double p : noise.probabilities) {
      REQUIRE_ALWAYS(p >= 0 && p <= 1 + 1e-9);
      sum += p;
    }
    REQUIRE_ALWAYS(std::abs(sum - 1) < 1e-6);
  });
  return 0;
}
