// Word similarity sets: what is accepted has two words and a finite score a pair.

#include <cmath>

#include "fuzz.h"
#include "vectors/similarity_set.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(view_of(data, size));
  accepted([&] {
    const std::vector<SimilarityPair> pairs = read_similarity_set(file.path()).pairs;
    REQUIRE_ALWAYS(!pairs.empty());
    for (const SimilarityPair& pair : pairs) {
      REQUIRE_ALWAYS(!pair.first.empty() && !pair.second.empty());
      REQUIRE_ALWAYS(std::isfinite(pair.score));
    }
  });
  return 0;
}
