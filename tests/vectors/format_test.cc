// Formats by the endings of files.

#include "vectors/format.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace acevec {

TEST_CASE("an ending promises a format, and one that acevec does not write is refused") {
  CHECK(format_of_ending("v.bin") == VectorFormat::kBinary);
  CHECK(format_of_ending("a/v.npy.gz") == VectorFormat::kNpy);
  CHECK(format_of_ending("v.tsv") == VectorFormat::kTsv);
  CHECK(format_of_ending("v.glove") == VectorFormat::kGlove);
  for (const char* const none : {"v", "v.txt", "v.vec", "bin", "v.binary", "-", ""}) {
    CHECK_FALSE(format_of_ending(none));
  }
  // No endings: a size, a version, what mktemp makes.
  for (const char* const text : {"v", "v.txt", "v.vec", "glove.300d", "m.v2", "tmp.bXbDcsFxzo"}) {
    CHECK(output_format(text) == VectorFormat::kText);
  }
  for (const char* const other : {"v.json", "v.kv", "v.vx", "tmp.short"}) {
    CHECK_THROWS_WITH_AS(output_format(other, ", or else"), doctest::Contains(", or else"),
                         UsageError);
  }
}

TEST_CASE("the words of an array are beside it") {
  CHECK(words_path("a/v.npy", VectorFormat::kNpy) == "a/v.words");
  CHECK(words_path("v.npy.gz", VectorFormat::kNpy) == "v.words");
  CHECK(words_path("v.tsv", VectorFormat::kTsv) == "v.metadata.tsv");
  CHECK(words_path("v", VectorFormat::kTsv) == "v.metadata.tsv");
  for (const auto format : {VectorFormat::kText, VectorFormat::kBinary, VectorFormat::kGlove,
                            VectorFormat::kNpy, VectorFormat::kTsv, VectorFormat::kFastText}) {
    CHECK_FALSE(described(format).empty());
    CHECK_FALSE((is_word2vec(format) && has_words_file(format)));
  }
}

}  // namespace acevec
