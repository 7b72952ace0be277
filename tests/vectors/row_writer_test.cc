// Files of vectors, with and without words, byte for byte, and what cannot be written.

#include "vectors/row_writer.h"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"
#include "text/lines.h"
#include "vectors/array_reader.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// Two rows; `declared`: whether their number is known before.
void write_two(const std::string& path, VectorFormat format, NumberType type, bool declared) {
  RowWriter file(path, format, type);
  file.begin(declared ? 2 : -1, 2);
  const std::vector<float> numbers{1, -0.1F, 2.5F, 1e-30F};
  file.write("a", numbers.data());
  file.write("b", numbers.data() + 2);
  file.commit();
}

// Two parts of 1 and 600 rows.
void write_parts(const std::string& path, VectorFormat format) {
  RowWriter out(path, format, NumberType::kFloat32, false);
  out.begin(-1, 2);
  for (const int64_t count : {1, 600}) {
    Matrix rows(count, 2);
    for (int64_t i = 0; i < count; ++i) {
      rows.row(i)[0] = static_cast<float>(i);
      rows.row(i)[1] = 0.5F;
    }
    out.write(rows, 3);
  }
  out.commit();
}

// What they are in text.
std::string parts_between(const std::string& separator) {
  std::string text = "0" + separator + "0.5\n";
  for (int i = 0; i < 600; ++i) text += std::to_string(i) + separator + "0.5\n";
  return text;
}

}  // namespace

TEST_CASE("each format has its bytes, whether or not the number of rows is known before") {
  using namespace std::string_literals;
  const TemporaryFolder folder;
  const std::string floats =
      "\0\0\x80\x3f\xcd\xcc\xcc\xbd"s
      "\0\0\x20\x40\x60\x42\xa2\x0d"s;
  for (const bool declared : {true, false}) {
    CAPTURE(declared);
    const auto written = [&](VectorFormat format, NumberType type = NumberType::kFloat32) {
      write_two(folder.path("v"), format, type, declared);
      return folder.read("v");
    };
    CHECK(written(VectorFormat::kText) == "2 2\na 1 -0.1\nb 2.5 1e-30\n");
    CHECK(written(VectorFormat::kGlove) == "a 1 -0.1\nb 2.5 1e-30\n");
    CHECK(written(VectorFormat::kTsv) == "1\t-0.1\n2.5\t1e-30\n");
    CHECK(folder.read("v.metadata.tsv") == "a\nb\n");
    CHECK(written(VectorFormat::kBinary) ==
          "2 2\na " + floats.substr(0, 8) + "\nb " + floats.substr(8) + "\n");
    const std::string head =
        "\x93NUMPY\x01\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"s;
    const std::string array = written(VectorFormat::kNpy);
    CHECK(array.starts_with(head));
    CHECK(array.substr(128) == floats);
    CHECK(folder.read("v.words") == "a\nb\n");
    const std::string halves = written(VectorFormat::kNpy, NumberType::kFloat16);
    CHECK(halves.find("'<f2'") != std::string::npos);
    CHECK(halves.substr(128) == "\x00\x3c\x66\xae\x00\x41\x00\x00"s);
  }
}

TEST_CASE("a head has the number of rows that were written, of those that might have been") {
  const TemporaryFolder folder;
  const float numbers[] = {1, 2};
  for (const VectorFormat format :
       {VectorFormat::kText, VectorFormat::kBinary, VectorFormat::kNpy}) {
    RowWriter file(folder.path("v.npy"), format);
    file.begin(1000, 2, false);
    for (const char* const word : {"a", "b", "c"}) file.write(word, numbers);
    file.commit();
    const WordVectors read = format == VectorFormat::kNpy
                                 ? read_vectors(folder.path("v.npy"))
                                 : read_vectors(folder.write("v", folder.read("v.npy")));
    CHECK(read.words == std::vector<std::string>{"a", "b", "c"});
    CHECK(read.vectors.row(2)[1] == 2);
  }
  CHECK(folder.read("v").starts_with("   3 2\n"));
}

TEST_CASE("what a format cannot hold is refused, and nothing appears") {
  const TemporaryFolder folder;
  const float numbers[] = {65520};
  const auto refuse = [&](const char* word, VectorFormat format, NumberType type,
                          const char* reason) {
    RowWriter file(folder.path("v"), format, type);
    file.begin(1, 1);
    CHECK_THROWS_WITH_AS(file.write(word, numbers), doctest::Contains(reason), Error);
  };
  refuse("", VectorFormat::kText, NumberType::kFloat32, "is empty or contains white space");
  refuse("a b", VectorFormat::kBinary, NumberType::kFloat32, ", or write npy or tsv");
  refuse("a\tb", VectorFormat::kTsv, NumberType::kFloat32, "row 1: the word");
  refuse("a", VectorFormat::kNpy, NumberType::kFloat16, "float16");
  CHECK(folder.entries() == 0);
}

TEST_CASE("a row without a word is its numbers") {
  const float numbers[] = {1, 2};
  std::string line;
  append_row(VectorFormat::kGlove, "", numbers, 2, line);
  append_row(VectorFormat::kTsv, "", numbers, 2, line);
  CHECK(line == "1 2\n1\t2\n");
}

TEST_CASE("rows stand in the order in which they came") {
  const TemporaryFolder folder;
  write_parts(folder.path("x"), VectorFormat::kGlove);
  CHECK(folder.read("x") == parts_between(" "));
  write_parts(folder.path("x"), VectorFormat::kTsv);
  CHECK(folder.read("x") == parts_between("\t"));
}

TEST_CASE("an array's head has the number of all rows, of none too") {
  const TemporaryFolder folder;
  write_parts(folder.path("x"), VectorFormat::kNpy);
  LookAhead input(folder.path("x"));
  CHECK(read_npy_head(input).shape == std::vector<int64_t>{601, 2});
  CHECK(input.peek(10000).size() == 601 * 8);
  RowWriter empty(folder.path("none"), VectorFormat::kNpy, NumberType::kFloat32, false);
  empty.begin(-1, 5);
  empty.commit();
  LookAhead none(folder.path("none"));
  CHECK(read_npy_head(none).shape == std::vector<int64_t>{0, 5});
  CHECK(none.at_end());
}

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
