// What all files of vectors have in common, whatever their format.

#include "vectors/row_reader.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {

TEST_CASE("of many rows the first are read, a row at a time or all at once") {
  const TemporaryFolder folder;
  std::string text = "5000 40\n";
  for (int i = 0; i < 5000; ++i) {
    text += "w" + std::to_string(i);
    for (int k = 0; k < 40; ++k) text += " " + std::to_string(i + k);
    text += "\n";
  }
  const std::string path = folder.write("v", text);
  for (const int64_t most : {1, 4000, 5000}) {
    const WordVectors read = read_vectors(path, most);
    REQUIRE(std::ssize(read.words) == most);
    REQUIRE(read.vectors.rows() == most);
    CHECK(read.words.back() == "w" + std::to_string(most - 1));
    CHECK(read.vectors.row(most - 1)[39] == static_cast<float>(most + 38));
  }
  CHECK(read_vectors(path).vectors.rows() == 5000);
  const auto rows = open_rows(path);
  CHECK(rows->declared_rows() == 5000);
  REQUIRE(rows->columns() == 40);
  std::string word;
  std::vector<float> numbers(40);
  REQUIRE(rows->next(word, numbers.data()));
  REQUIRE(rows->next(word, numbers.data()));
  CHECK(word == "w1");
  CHECK(numbers[0] == 1);
}

TEST_CASE("a file without a format is refused") {
  const TemporaryFolder folder;
  CHECK(open_rows(folder.write("v", "7 1\n8 6\n"))->declared_rows() == 7);
  CHECK_THROWS_WITH_AS(open_rows(folder.write("v", "\x80\x04 pickled")),
                       doctest::Contains("it is a Python pickle"), Error);
}

}  // namespace acevec
