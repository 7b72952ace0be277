// Heads of arrays as numpy writes them, of its versions 1 and 2.

#include "vectors/npy_head.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

struct Opened {
  explicit Opened(const std::string& bytes) : input(folder.write("x.npy", bytes)) {}

  TemporaryFolder folder;
  LookAhead input;
};

std::string dictionary(const std::string& shape, const std::string& by_columns = "False") {
  return "{'descr': '<f4', 'fortran_order': " + by_columns + ", 'shape': " + shape + ", }\n";
}

// Version 1 has a length of 2 bytes, version 2 one of 4.
std::string file(int version, const std::string& head) {
  std::string bytes = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  bytes += static_cast<char>(head.size());
  return bytes + std::string(version == 1 ? 1 : 3, '\0') + head + "1234";
}

}  // namespace

TEST_CASE("the head says what numbers follow, and they come next") {
  using Shape = std::vector<int64_t>;
  for (const int version : {1, 2}) {
    CAPTURE(version);
    for (const auto& [written, shape] : std::vector<std::pair<std::string, Shape>>{
             {"(3, 5)", {3, 5}}, {"(7,)", {7}}, {"()", {}}, {"(2,3,4)", {2, 3, 4}}}) {
      Opened array(file(version, dictionary(written)));
      CHECK(begins_npy(array.input));
      const NpyHead head = read_npy_head(array.input);
      CHECK(head.type == "<f4");
      CHECK_FALSE(head.by_columns);
      CHECK(head.shape == shape);
      CHECK(array.input.peek(9) == "1234");
    }
  }
  Opened by_columns(file(1, dictionary("(1, 1)", "True")));
  CHECK(read_npy_head(by_columns.input).by_columns);
}

TEST_CASE("a head that cannot be read is refused, and one without lengths has none") {
  for (const char* const shape : {"(-1, 2)", "(x)", "3", "(1, 2", "(,)", "(1,,2)"}) {
    CAPTURE(shape);
    Opened array(file(1, dictionary(shape)));
    CHECK_FALSE(read_npy_head(array.input).shape);
  }
  Opened text("3 5\nword 1 2 3 4 5\n");
  CHECK_FALSE(begins_npy(text.input));
  CHECK_THROWS_AS(read_npy_head(text.input), Error);
  Opened endless("\x93NUMPY\2" + std::string(1, '\0') + "\xff\xff\xff\xff" + "{'descr'");
  CHECK_THROWS_AS(read_npy_head(endless.input), Error);
}

}  // namespace acevec
