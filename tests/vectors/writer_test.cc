// What training writes reads back to the last bit, or is not written.

#include "vectors/writer.h"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {

TEST_CASE("vectors come back from text and binary to the last bit") {
  const TemporaryFolder folder;
  const Vocabulary vocabulary({{"größe", 30}, {"b", 20}, {"\xe6\x97\xa5", 10}}, 1, 0);
  Matrix vectors(3, 5);
  const std::vector<float> values{1.0F,   -0.1F,    3.4028235e38F, 1e-45F, 0.0F,
                                  -1e-7F, 1 / 3.0F, 2.5e10F,       -0.0F,  7.0F};
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t k = 0; k < 5; ++k) {
      vectors.row(i)[k] = values[static_cast<size_t>(i * 5 + k) % values.size()];
    }
  }
  for (const bool binary : {false, true}) {
    RowWriter file(folder.path("vectors"), binary ? VectorFormat::kBinary : VectorFormat::kText);
    write_vectors(vocabulary, vectors, std::nullopt, file);
    file.commit();
    const WordVectors read = read_vectors(folder.path("vectors"));
    REQUIRE(read.words.size() == 3);
    REQUIRE(read.vectors.rows() == 3);
    REQUIRE(read.vectors.columns() == 5);
    for (int64_t i = 0; i < 3; ++i) {
      CHECK(read.words[static_cast<size_t>(i)] == vocabulary.word(static_cast<int32_t>(i)));
      CHECK(std::memcmp(read.vectors.row(i), vectors.row(i), 5 * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("a vector that is not finite is never written") {
  const TemporaryFolder folder;
  const std::string path = folder.write("vectors", "old");
  const Vocabulary vocabulary({{"a", 2}, {"b", 1}}, 1, 0);
  Matrix vectors(2, 3);
  vectors.row(1)[2] = std::numeric_limits<float>::infinity();
  {
    RowWriter file(path, VectorFormat::kBinary);
    CHECK_THROWS_WITH_AS(write_vectors(vocabulary, vectors, std::nullopt, file),
                         doctest::Contains("\"b\" is not finite"), Error);
  }
  CHECK(folder.read("vectors") == "old");
}

}  // namespace acevec
