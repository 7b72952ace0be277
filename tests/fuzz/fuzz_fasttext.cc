// Models of fastText: what is accepted has a finite row for each word, and composes finite vectors
// of others.

#include <algorithm>
#include <cmath>

#include "fuzz.h"
#include "vectors/row_reader.h"
#include "vectors/word_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(view_of(data, size));
  accepted([&] {
    const WordVectors read = open_rows(file.path())->read_all(3);
    const Matrix& vectors = read.vectors;
    const auto finite = [&](const float* row) {
      return std::all_of(row, row + vectors.columns(), [](float x) { return std::isfinite(x); });
    };
    REQUIRE_ALWAYS(vectors.rows() == static_cast<int64_t>(read.words.size()));
    REQUIRE_ALWAYS(vectors.rows() >= 1 && vectors.rows() <= 3 && vectors.columns() >= 1);
    for (int64_t i = 0; i < vectors.rows(); ++i) {
      REQUIRE_ALWAYS(finite(vectors.row(i)));
      REQUIRE_ALWAYS(!read.words[static_cast<size_t>(i)].empty());
    }
    std::vector<float> vector(static_cast<size_t>(vectors.columns()));
    if (read.subwords && read.subwords->compose("unseen", nullptr, vector.data())) {
      REQUIRE_ALWAYS(finite(vector.data()));
    }
  });
  return 0;
}
