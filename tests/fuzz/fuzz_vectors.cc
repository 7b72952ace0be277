// Files of vectors in any format: what is accepted has a finite row for each word.

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "fuzz.h"
#include "vectors/word_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(view_of(data, size));
  accepted([&] {
    const WordVectors read = read_vectors(file.path());
    const Matrix& vectors = read.vectors;
    REQUIRE_ALWAYS(vectors.rows() == static_cast<int64_t>(read.words.size()));
    REQUIRE_ALWAYS(vectors.rows() >= 1 && vectors.columns() >= 1);
    std::unordered_set<std::string> words;
    for (int64_t i = 0; i < vectors.rows(); ++i) {
      const float* row = vectors.row(i);
      REQUIRE_ALWAYS(
          std::all_of(row, row + vectors.columns(), [](float x) { return std::isfinite(x); }));
      const std::string& word = read.words[static_cast<size_t>(i)];
      REQUIRE_ALWAYS(!word.empty());
      REQUIRE_ALWAYS(word.find('\n') == std::string::npos);
      REQUIRE_ALWAYS(words.insert(word).second);
    }
  });
  return 0;
}
