// Points and their labels in every form that is read, and what is refused.

#include "tasks/metric/points.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "base/error.h"
#include "tasks/metric/array_bytes.h"
#include "temporary_folder.h"

namespace acevec::metric_points_test {
namespace {

std::vector<float> numbers_of(const Points& points) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < points.count(); ++i) {
    numbers.insert(numbers.end(), points.values.row(i),
                   points.values.row(i) + points.values.columns());
  }
  return numbers;
}

// The numbers of an array in one row, and the shape of a point.
struct Read {
  std::vector<float> numbers;
  std::vector<int64_t> shape;
};

Read read(const TemporaryFolder& folder, const std::string& bytes) {
  auto input = std::make_unique<LookAhead>(folder.write("x", bytes));
  REQUIRE(PointArray::begins(*input));
  PointArray array(std::move(input));
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

TEST_CASE("labels come as arrays of whole numbers or as lines, in the order of the points") {
  const TemporaryFolder folder;
  const std::string x = folder.write("x", idx(0x08, {3, 1}, "\1\2\3"));
  const auto labels_of = [&](const std::string& bytes) {
    Names classes;
    const LabelledPoints read = Labels(folder.write("y", bytes), classes).read(x);
    const std::vector<std::string> names{"7", "0", "-5", "1", "red", "light blue"};
    std::string typed;
    for (const int32_t label : read.labels) {
      const auto is = [&](const std::string& name) { return classes.add(name) == label; };
      typed += *std::find_if(names.begin(), names.end(), is) + ";";
    }
    return typed;
  };
  CHECK(labels_of(idx(0x08, {3}, std::string("\7\0\7", 3))) == "7;0;7;");
  CHECK(labels_of(npy("<i8", "(3,)", bytes_of(std::vector<int64_t>{-5, 1, -5}, false))) ==
        "-5;1;-5;");
  CHECK(labels_of("red\r\nlight blue\nred") == "red;light blue;red;");
  CHECK_THROWS_AS(labels_of("a\nb\n"), Error);
  CHECK_THROWS_AS(labels_of(npy("<f4", "(3,)", std::string(12, '\0'))), Error);
  CHECK_THROWS_AS(labels_of(idx(0x08, {3, 1}, "\1\2\3")), Error);
  CHECK_THROWS_AS(labels_of(idx(0x08, {3}, "\1\2")), Error);
}

TEST_CASE("vectors of words get their labels by name") {
  const TemporaryFolder folder;
  const std::string x = folder.write("x", "4 2\na 1 2\nb 3 4\nc 5 6\nd 7 8\n");
  Names classes;
  const LabelledPoints read =
      Labels(folder.write("y", "d\tone\nnone two\nb two \nd one\n"), classes).read(x);
  CHECK(numbers_of(read.points) == std::vector<float>{3, 4, 7, 8});
  CHECK(read.points.names == std::vector<std::string>{"b", "d"});
  CHECK(read.labels == std::vector<int32_t>{classes.add("two"), classes.add("one")});
  CHECK(read.unlabelled == 2);
  CHECK(read.unknown == 1);
  const std::string y = folder.write("y", "d one\nb two\n");
  Labels of_both(y, classes);
  CHECK(of_both.read(x).labels.size() == 2);
  std::filesystem::remove(y);  // as a pipe, which is there once
  CHECK(of_both.read(folder.write("z", "1 2\nd 1 2\n")).labels.size() == 1);
  CHECK_THROWS_AS(Labels(folder.write("y", "b one\nb two\n"), classes).read(x), Error);
  CHECK_THROWS_AS(Labels(folder.write("y", "b\n"), classes).read(x), Error);
  CHECK_THROWS_AS(Labels(folder.write("y", "z one\n"), classes).read(x), Error);
}

TEST_CASE("tables of numbers are points, with titles or without") {
  const TemporaryFolder folder;
  const std::vector<float> wanted{1, -2.5F, 3, 4};
  CHECK(numbers_of(read_points(folder.write("a.csv", "1,-2.5\n3,4\n"))) == wanted);
  CHECK(numbers_of(read_points(folder.write("b.csv", "x,y\r\n\"1\", -2.5\r\n3,4"))) == wanted);
  CHECK(numbers_of(read_points(folder.write("c.tsv", "1\t-2.5\n3\t4\n"))) == wanted);
  folder.write("d.metadata.tsv", "one\ntwo\n");
  CHECK(read_points(folder.write("d.tsv", "1\t-2.5\n3\t4\n")).names.size() == 2);
  for (const char* bad :
       {"", "x,y\n", "\n", "1,2\n3\n", "1,2\n3,4,5\n", "1,2\n3,x\n", "1,x\n3,4\n", "1,nan\n"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(read_points(folder.write("e.csv", bad)), Error);
  }
}

TEST_CASE("arrays of every type of numbers are read, the dimensions of a point as one row") {
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
  CHECK(holds(refusal(folder, idx(0x08, {3, 2}, four)), "point 3 of 3 is truncated"));
  CHECK(holds(refusal(folder, idx(0x08, {1, 2}, four)), "more numbers than"));
  CHECK(holds(refusal(folder, idx(0x08, {0, 2}, "")), "declares 0 points"));
  CHECK(holds(refusal(folder, idx(0x08, {2, 0}, "")), "no numbers"));
  CHECK(holds(refusal(folder, idx(0x08, {0xFFFFFFFF, 2}, four)), "declares 4294967295 points"));
  // Nothing is allocated for what a header only declares.
  CHECK(holds(refusal(folder, idx(0x08, {2000000000, 1000, 1000}, four)), "point 1 of"));
  CHECK(holds(refusal(folder, idx(0x08, {2, 60000, 60000}, four)), "more than 1048576 numbers"));
  CHECK(holds(refusal(folder, idx(0x08, {1, 2}, "").substr(0, 9)), "header is truncated"));
  CHECK(holds(refusal(folder, npy("<f4", "(2, 2)", four)), "point 1 of 2 is truncated"));
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
    CHECK_FALSE(PointArray::begins(input));
  }
}

}  // namespace acevec::metric_points_test
