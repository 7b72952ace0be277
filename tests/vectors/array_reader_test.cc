// Arrays of numbers with their words beside them: every type is read, and what is broken is
// refused.

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"
#include "vectors/word_vectors.h"

namespace acevec::array_reader_test {
namespace {

std::string npy(const std::string& type, const std::string& shape, const std::string& numbers,
                const std::string& by_columns = "False") {
  const std::string head =
      "{'descr': '" + type + "', 'fortran_order': " + by_columns + ", 'shape': " + shape + ", }\n";
  std::string bytes("\x93NUMPY\x01\0", 8);
  bytes += static_cast<char>(head.size());
  return bytes + '\0' + head + numbers;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

const std::string kFloats = bytes_of<float>({1, -2, 0.5F, 4, 5, 6});

void refuse(const std::string& name, const std::string& bytes, const std::string& words,
            const std::string& reason) {
  const TemporaryFolder folder;
  folder.write("v.words", words);
  folder.write("v.metadata.tsv", words);
  CAPTURE(reason);
  CHECK_THROWS_WITH_AS(read_vectors(folder.write(name, bytes)), doctest::Contains(reason.c_str()),
                       Error);
}

}  // namespace

TEST_CASE("arrays of each type of numbers are read, with words that may have blanks") {
  const TemporaryFolder folder;
  folder.write("v.words", "a\r\nnew york\n");
  folder.write("v.metadata.tsv", "a\nnew york");
  const std::vector<std::string> paths{
      folder.write("v.tsv", "1\t-2\t0.5\r\n4\t5\t6"),
      folder.write("v.npy", npy("<f4", "(2, 3)", kFloats)),
      folder.write("w.npy", npy("<f8", "(2, 3)", bytes_of<double>({1, -2, 0.5, 4, 5, 6}))),
      folder.write("x.npy",
                   npy("<f2", "(2, 3)",
                       bytes_of<uint16_t>({0x3c00, 0xc000, 0x3800, 0x4400, 0x4500, 0x4600})))};
  for (const char* const words : {"w.words", "x.words"}) folder.write(words, "a\nnew york\n");
  for (const std::string& path : paths) {
    CAPTURE(path);
    const WordVectors read = read_vectors(path);
    CHECK(read.words == std::vector<std::string>{"a", "new york"});
    REQUIRE(read.vectors.columns() == 3);
    for (int64_t i = 0; i < 2; ++i) {
      CHECK(std::memcmp(read.vectors.row(i), kFloats.data() + 12 * i, 12) == 0);
    }
  }
}

TEST_CASE("rows and words that do not belong together are refused") {
  const std::string two = npy("<f4", "(2, 3)", kFloats);
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>{"v.npy", two}, {"v.tsv", "1\t2\n3\t4\n"}}) {
    refuse(name, bytes, "a\n", "it has more rows than");
    refuse(name, bytes, "a\nb\n\n", "it has fewer rows than");
  }
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(read_vectors(folder.write("v.npy", two)),
                       doctest::Contains("v.words with its words"), Error);
}

TEST_CASE("broken arrays are refused, each with its reason") {
  refuse("v.npy", "text\n", "a\n", "it is not an .npy file");
  refuse("v.npy", npy("<f4", "(2, 3)", "").substr(0, 40), "a\nb\n", "its header is truncated");
  refuse("v.npy", npy("<i4", "(2, 3)", kFloats), "a\nb\n", "its numbers are not float16");
  refuse("v.npy", npy(">f4", "(2, 3)", kFloats), "a\nb\n", "its numbers are not float16");
  refuse("v.npy", npy("<f4", "(2, 3)", kFloats, "True"), "a\nb\n",
         "it is in Fortran (column-major) order");
  refuse("v.npy", npy("<f4", "(6,)", kFloats), "a\nb\n", "it is not 2-D");
  refuse("v.npy", npy("<f4", "(0, 3)", ""), "", "it contains no vectors");
  refuse("v.npy", npy("<f4", "(2, 2000000)", kFloats), "a\nb\n", "it contains no vectors");
  refuse("v.npy", npy("<f4", "(2, 3)", kFloats.substr(1)), "a\nb\n", "row 2 is truncated");
  refuse("v.npy", npy("<f4", "(2, 3)", kFloats + "x"), "a\nb\n", "more numbers than its header");
  refuse("v.npy", npy("<f8", "(1, 1)", bytes_of<double>({1e300})), "a\n", "non-finite");
  refuse("v.tsv", "", "", "it contains no vectors");
  refuse("v.tsv", "x\ty\n1\t2\n", "a\nb\n", "it contains no vectors");
  refuse("v.tsv", "1\t2\n3\n", "a\nb\n", "row 2 does not have as many numbers");
  refuse("v.tsv", "1\t2\n3\tx\n", "a\nb\n", "row 2 does not have as many numbers");
}

}  // namespace acevec::array_reader_test
