// word2vec's text and binary, and GloVe's text: dialects are read, and what is broken is refused.

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

std::string binary_row(const std::string& word, const std::vector<float>& numbers,
                       const std::string& end = "\n") {
  std::string row = word + ' ';
  row.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  return row + end;
}

void refuse(const std::string& content, const std::string& reason) {
  const TemporaryFolder folder;
  const std::string path = folder.write("vectors", content);
  CAPTURE(reason);
  CHECK_THROWS_WITH_AS(read_vectors(path), doctest::Contains(reason.c_str()), Error);
}

}  // namespace

TEST_CASE("other programs' dialects are read") {
  const TemporaryFolder folder;
  const std::vector<float> one{1, 2, 3};
  const std::vector<float> two{4, 5, 6};
  const std::vector<std::string> files{
      folder.write("word2vec.txt", "2 3\na 1.000000 2.000000 3.000000 \nb 4 5 6 \n"),
      folder.write("crlf.txt", "2 3\r\na 1 2 3\r\nb 4 5 6"),
      folder.write("glove.txt", "a 1 2 3\nb 4e0 5 6\n"),
      folder.write("word2vec.bin", "2 3\n" + binary_row("a", one) + binary_row("b", two)),
      folder.write("gensim.bin", "2 3\n" + binary_row("a", one, "") + binary_row("b", two, "")),
  };
  for (const std::string& file : files) {
    CAPTURE(file);
    const WordVectors read = read_vectors(file);
    REQUIRE(read.words == std::vector<std::string>{"a", "b"});
    for (int64_t k = 0; k < 3; ++k) {
      CHECK(read.vectors.row(0)[k] == one[static_cast<size_t>(k)]);
      CHECK(read.vectors.row(1)[k] == two[static_cast<size_t>(k)]);
    }
  }
}

TEST_CASE("binary rows may hold the bytes of spaces and line ends") {
  const TemporaryFolder folder;
  float newlines = 0;
  std::memcpy(&newlines, "\n \n ", sizeof newlines);
  const std::string path =
      folder.write("v", "2 2\n" + binary_row("a", {newlines, 1}) + binary_row("b", {2, newlines}));
  const WordVectors read = read_vectors(path);
  REQUIRE(read.words == std::vector<std::string>{"a", "b"});
  CHECK(read.vectors.row(0)[0] == newlines);
  CHECK(read.vectors.row(1)[1] == newlines);
}

TEST_CASE("numbers too small for a float are zero") {
  const TemporaryFolder folder;
  const WordVectors read = read_vectors(folder.write("v", "a 1e-50 -1e-300 1e-40\n"));
  CHECK(read.vectors.row(0)[0] == 0);
  CHECK(read.vectors.row(0)[1] == 0);
  CHECK(read.vectors.row(0)[2] == 1e-40F);
}

TEST_CASE("broken files are refused, each with its reason") {
  refuse("", "empty");
  refuse("\n", "empty");
  refuse("hello world\n", "not a file of vectors");
  refuse("0 3\n", "impossible");
  refuse("-1 3\na 1 2 3\n", "impossible");
  refuse("1 99999999999\na 1 2 3\n", "impossible");
  refuse("3 3\na 1 2 3\nb 4 5 6\n", "declares 3 rows, but there are 2");
  refuse("1 3\na 1 2 3\nb 4 5 6\n", "more rows");
  refuse("2 3\na 1 2 3\nb 4 5\n", "row 2");
  refuse("2 3\na 1 2 3\nb 4 five 6\n", "row 2");
  refuse("2 3\na 1 2 3\nb 4 nan 6\n", "not finite");
  refuse("a 1 2 3\nb 4 5\n", "row 2");
  refuse("2 3\n" + binary_row("a", {1, 2, 3}) + "b \1\2", "row 2 is truncated");
  refuse("3 3\n" + binary_row("a", {1, 2, 3}), "declares 3 rows, but there are 1");
  refuse("2 3\n", "declares 2 rows, but there are 0");
  refuse("1 3\n" + binary_row("a", {1, 2, 3}) + binary_row("b", {1, 2, 3}), "more rows");
  refuse("1 3\n" + binary_row("a", {1, std::numeric_limits<float>::quiet_NaN(), 3}), "not finite");
  refuse("9000000000000000000 100000\n" + binary_row("a", {1, 2, 3}), "truncated");
  refuse("9000000000000000000 3\na 1 2 3\n",
         "declares 9,000,000,000,000,000,000 rows, but there are 1");
  refuse("99999999999999999999 3\na 1 2 3\n", "row 2 has more numbers");
  refuse("1 -3\na 1 2 3\n", "impossible");
  refuse("1 0\na\n", "impossible");
  refuse("a 1 2 3\n. b 4 5 6\n", "row 2 has more numbers than the others, or blanks in its word");
  refuse("a 1 2 3\nb 4 5 1e39\n", "not finite");
  refuse("a 1 2 3\nb 4 5 -1e39\n", "not finite");
  refuse("1 3\n" + binary_row("a\nb", {1, 2, 3}), "row 1 has a tab or a line end in its word");
  refuse("1 3\n" + binary_row("a\tb", {1, 2, 3}), "row 1 has a tab or a line end in its word");
  refuse("2 1\n" + binary_row("a", {1}) + binary_row("", {1}), "row 2 has no word");
}

}  // namespace acevec
