// Points and their labels in every form that is read, and what is refused.

#include "tasks/metric/points.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "base/error.h"
#include "temporary_folder.h"
#include "vectors/array_bytes.h"

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

}  // namespace acevec::metric_points_test
