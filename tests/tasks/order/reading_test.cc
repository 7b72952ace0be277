// How a file of vectors is to be read, by the record beside it.

#include "tasks/order/reading.h"

#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include "temporary_folder.h"

namespace acevec {
namespace {

Matrix vectors_with(float number) {
  Matrix vectors(2, 3);
  vectors.row(1)[2] = number;
  return vectors;
}

}  // namespace

TEST_CASE("without a record a negative coordinate tells cones, whose unit nobody knows") {
  const TemporaryFolder folder;
  const std::string path = folder.path("v.bin.json");
  CHECK(read_beside(path, vectors_with(1)).geometry == Geometry::kOrder);
  const Reading reading = read_beside(path, vectors_with(-1));
  CHECK(reading.geometry == Geometry::kCone);
  CHECK(reading.unit == 0);
  CHECK(read_beside("", vectors_with(-1)).unit == 0);
}

TEST_CASE("a record says the geometry and the unit") {
  const TemporaryFolder folder;
  const std::string path = folder.path("v.bin.json");
  std::ofstream(path) << R"({"settings": {"geometry": "cone"}, "threshold": 0.25})";
  const Reading reading = read_beside(path, vectors_with(1));
  CHECK(reading.geometry == Geometry::kCone);
  CHECK(reading.unit == 0.25F);
}

TEST_CASE("a record that is none of ours, or damaged, says nothing") {
  const TemporaryFolder folder;
  const std::string path = folder.path("v.bin.json");
  for (const char* record :
       {"", "{", "[1, 2]", "null", "{\"settings\": 3}", "{\"settings\": {\"geometry\": 1}}",
        R"({"settings": {"geometry": "sphere"}})", "{\"threshold\": -1}", "{\"threshold\": \"1\"}",
        "{\"threshold\": 1e300}", "\xff\xfe"}) {
    CAPTURE(record);
    std::ofstream(path) << record;
    const Reading reading = read_beside(path, vectors_with(-1));
    CHECK(reading.geometry == Geometry::kCone);
    CHECK(reading.unit == 0);
  }
}

}  // namespace acevec
