// Arrays and tables of numbers, with their words beside them or without: every type is read, and
// what is broken is refused.

#include "vectors/array_reader.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"
#include "vectors/array_bytes.h"
#include "vectors/word_vectors.h"

namespace acevec::array_reader_test {
namespace {

const std::string kFloats = bytes_of(std::vector<float>{1, -2, 0.5F, 4, 5, 6}, false);

void refuse(const std::string& name, const std::string& bytes, const std::string& words,
            const std::string& reason) {
  const TemporaryFolder folder;
  folder.write("v.words", words);
  folder.write("v.metadata.tsv", words);
  CAPTURE(reason);
  CHECK_THROWS_WITH_AS(read_vectors(folder.write(name, bytes)), doctest::Contains(reason.c_str()),
                       Error);
}

// The numbers of an array in one row, and the shape of a point.
struct Read {
  std::vector<float> numbers;
  std::vector<int64_t> shape;
};

Read read(const TemporaryFolder& folder, const std::string& bytes) {
  auto input = std::make_unique<LookAhead>(folder.write("x", bytes));
  REQUIRE(NumberArray::begins(*input));
  NumberArray array(std::move(input), "give another");
  Read all{{}, array.shape()};
  std::vector<float> row(static_cast<size_t>(array.columns()));
  for (std::string word; array.next(word, row.data());) {
    all.numbers.insert(all.numbers.end(), row.begin(), row.end());
  }
  return all;
}

// What the error says; empty when there is none.
std::string refusal(const TemporaryFolder& folder, const std::string& bytes) {
  try {
    read(folder, bytes);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("arrays of each type of numbers are read, with words that may have blanks") {
  const TemporaryFolder folder;
  folder.write("v.words", "a\r\nnew york\n");
  folder.write("v.metadata.tsv", "a\nnew york");
  const std::vector<std::string> paths{
      folder.write("v.tsv", "1\t-2\t0.5\r\n4\t5\t6"),
      folder.write("v.npy", npy("<f4", "(2, 3)", kFloats)),
      folder.write("w.npy",
                   npy("<f8", "(2, 3)", bytes_of(std::vector<double>{1, -2, 0.5, 4, 5, 6}, false))),
      folder.write("x.npy", npy("<f2", "(2, 3)",
                                bytes_of(std::vector<uint16_t>{0x3c00, 0xc000, 0x3800, 0x4400,
                                                               0x4500, 0x4600},
                                         false)))};
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
  refuse("v.npy", "text\n", "a\n", "it is neither an IDX file nor an .npy file");
  refuse("v.npy", npy("<f4", "(2, 3)", "").substr(0, 40), "a\nb\n", "its header is truncated");
  refuse("v.npy", npy("<c8", "(2, 3)", kFloats), "a\nb\n", "its numbers are of type <c8");
  refuse("v.npy", npy("<f4", "(2, 3)", kFloats, "True"), "a\nb\n",
         "it is in Fortran (column-major) order");
  refuse("v.npy", npy("<f4", "(0, 3)", ""), "", "its header declares 0 rows");
  refuse("v.npy", npy("<f4", "(2, 2000000)", kFloats), "a\nb\n", "more than 1048576 numbers");
  refuse("v.npy", npy("<f4", "(2, 3)", kFloats.substr(1)), "a\nb\n", "row 2 of 2 is truncated");
  refuse("v.npy", npy("<f4", "(2, 3)", kFloats + "x"), "a\nb\n", "more numbers than its header");
  refuse("v.npy", npy("<f8", "(1, 1)", bytes_of(1e300, false)), "a\n", "non-finite");
  refuse("v.tsv", "", "", "it contains no numbers");
  refuse("v.tsv", "x\ty\n1\t2\n", "a\nb\n", "it has fewer rows than");
  refuse("v.tsv", "1\t2\n3\n", "a\nb\n", "row 2 has another number of columns");
  refuse("v.tsv", "1\t2\n3\tx\n", "a\nb\n", "row 2 has no number in column 2");
}

TEST_CASE("arrays of every type of numbers are read, the dimensions after the first as one row") {
  const TemporaryFolder folder;
  const std::vector<float> wanted{0, 1, 2, 3, 100, 5};
  const auto check = [&](const std::string& bytes, const std::vector<int64_t>& shape) {
    const Read all = read(folder, bytes);
    CHECK(all.shape == shape);
    CHECK(all.numbers == wanted);
  };
  const auto check_both = [&](auto number, char idx_type, const std::string& npy_type) {
    std::vector<decltype(number)> numbers;
    for (const float value : wanted) numbers.push_back(static_cast<decltype(number)>(value));
    if (idx_type != 0) check(idx(idx_type, {3, 2}, bytes_of(numbers, true)), {2});
    check(npy("<" + npy_type, "(3, 1, 2)", bytes_of(numbers, false)), {1, 2});
    check(npy(">" + npy_type, "(2,3)", bytes_of(numbers, true)), {3});
  };
  check_both(uint8_t{}, 0x08, "u1");
  check_both(int8_t{}, 0x09, "i1");
  check_both(int16_t{}, 0x0B, "i2");
  check_both(int32_t{}, 0x0C, "i4");
  check_both(float{}, 0x0D, "f4");
  check_both(double{}, 0x0E, "f8");
  check_both(uint64_t{}, 0, "u8");
  check(idx(0x08, {1, 1, 2, 3}, bytes_of(std::vector<uint8_t>{0, 1, 2, 3, 100, 5}, true)),
        {1, 2, 3});
  // 1.5 and −2 in half precision.
  const std::string halves = bytes_of(std::vector<uint16_t>{0x3E00, 0xC000}, false);
  CHECK(read(folder, npy("<f2", "(1, 2)", halves)).numbers == std::vector<float>{1.5F, -2});
}

TEST_CASE("arrays that are damaged or hold something else are refused, with the place") {
  const TemporaryFolder folder;
  const std::string four("\1\2\3\4", 4);
  CHECK(holds(refusal(folder, idx(0x08, {3, 2}, four)), "row 3 of 3 is truncated"));
  CHECK(holds(refusal(folder, idx(0x08, {1, 2}, four)), "more numbers than"));
  CHECK(holds(refusal(folder, idx(0x08, {0, 2}, "")), "declares 0 rows"));
  CHECK(holds(refusal(folder, idx(0x08, {2, 0}, "")), "no numbers"));
  CHECK(holds(refusal(folder, idx(0x08, {0xFFFFFFFF, 2}, four)), "declares 4294967295 rows"));
  // Nothing is allocated for what a header only declares.
  CHECK(holds(refusal(folder, idx(0x08, {2000000000, 1000, 1000}, four)), "row 1 of"));
  CHECK(holds(refusal(folder, idx(0x08, {2, 60000, 60000}, four)), "more than 1048576 numbers"));
  CHECK(holds(refusal(folder, idx(0x08, {1, 2}, "").substr(0, 9)), "header is truncated"));
  CHECK(holds(refusal(folder, npy("<f4", "(2, 2)", four)), "row 1 of 2 is truncated"));
  CHECK(holds(refusal(folder, npy("<c8", "(2, 2)", four)), "of type <c8"));
  CHECK(holds(refusal(folder, npy("|O", "(2, 2)", four)), "of type |O"));
  CHECK(holds(refusal(folder, npy("<u1", "(2, 2)", four, "True")), "Fortran"));
  CHECK(holds(refusal(folder, npy("<u1", "(2, -2)", four)), "not a list of lengths"));
  CHECK(holds(refusal(folder, npy("<u1", "(2, x)", four)), "not a list of lengths"));
  CHECK(holds(refusal(folder, npy("<u1", "()", four)), "not a list of lengths"));
  CHECK(
      holds(refusal(folder, npy("<u1", "(99999999999999999999,)", four)), "not a list of lengths"));
  const std::string nan = bytes_of(std::vector<float>{1, std::nanf("")}, false);
  CHECK(holds(refusal(folder, npy("<f4", "(2, 1)", nan)), "row 2 has a non-finite number"));
  const std::string large = bytes_of(std::vector<double>{1e300}, false);
  CHECK(holds(refusal(folder, npy("<f8", "(1, 1)", large)), "non-finite"));
}

TEST_CASE("other files do not begin like an array") {
  const TemporaryFolder folder;
  for (const std::string& bytes : {std::string(), std::string("3 2\na 1 2\n"),
                                   std::string("\0\0\x0A\1", 4), std::string("\0\0\x08\0", 4)}) {
    LookAhead input(folder.write("x", bytes));
    CHECK_FALSE(NumberArray::begins(input));
  }
}

}  // namespace acevec::array_reader_test
