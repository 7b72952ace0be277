// Models in a container: what is written, and what is refused.

#include "train/model_container.h"

#include <doctest/doctest.h>

#include <limits>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

constexpr ModelKind kKind{"acevec toy", 2};

// A model of version `version`: a matrix, and names.
std::string written(const TemporaryFolder& folder, int64_t version) {
  Matrix matrix(3, 5);
  matrix.row(2)[4] = 7;
  CheckpointWriter file(folder.path("model"));
  file.put(kKind.command, version);
  put_trained("rows", matrix, file);
  put_lines("names", {"a", "", "b c"}, file);
  file.commit();
  return folder.path("model");
}

float last_number(CheckpointReader& file) {
  Matrix matrix(3, 5);
  get_trained("rows", matrix, file);
  CHECK(get_lines("names", file) == std::vector<std::string>{"a", "", "b c"});
  return matrix.row(2)[4];
}

float impossible(CheckpointReader&) {
  require_possible(false);
  return 0;
}

}  // namespace

TEST_CASE("a model comes back, and all else is refused") {
  const TemporaryFolder folder;
  const std::string path = written(folder, 2);
  CHECK(read_model(path, kKind, last_number) == 7);
  const auto refused = [&](const std::string& file, float (*read)(CheckpointReader&)) {
    CHECK_THROWS_WITH_AS(read_model(file, kKind, read),
                         doctest::Contains("is not a model of acevec toy, or is damaged"), Error);
  };
  refused(path, impossible);
  refused(folder.write("cut", folder.read("model").substr(0, 60)), last_number);
  refused(folder.write("text", "a text"), last_number);
  refused(folder.write("empty", ""), last_number);
  CHECK_THROWS_WITH_AS(read_model(folder.path("none"), kKind, last_number),
                       doctest::Contains("cannot read"), Error);
  CHECK_THROWS_WITH_AS(read_model(written(folder, 1), kKind, last_number),
                       doctest::Contains("of another version of acevec toy"), Error);
}

TEST_CASE("no more is read than the file has room for") {
  const TemporaryFolder folder;
  CheckpointReader file(written(folder, 2));
  CHECK_NOTHROW(require_room(file.bytes() / 4, file));
  CHECK_THROWS_AS(require_room(file.bytes() / 4 + 1, file), Error);
}

TEST_CASE("a number that is not finite, or too large to multiply, is refused when it is read") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model");
  Matrix matrix(2, 3);
  std::vector<float> numbers(4);
  const auto read = [&] {
    {
      CheckpointWriter file(path);
      matrix.save("rows", file);
      file.put("numbers", numbers);
      file.commit();
    }
    CheckpointReader file(path);
    get_trained("rows", matrix, file);
    get_trained("numbers", numbers, file);
  };
  CHECK_NOTHROW(read());
  numbers[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(read(), Error);
  numbers[3] = 1e38F;
  CHECK_NOTHROW(read());  // a mean of points, say
  for (const float number : {-std::numeric_limits<float>::infinity(), 1e10F}) {
    matrix.row(1)[2] = number;
    CHECK_THROWS_AS(read(), Error);
  }
}

TEST_CASE("a model that is not finite is not written") {
  const TemporaryFolder folder;
  Matrix matrix(1, 1);
  CheckpointWriter file(folder.path("model"));
  for (const float number : {std::numeric_limits<float>::infinity(), 1e10F}) {
    matrix.row(0)[0] = number;
    CHECK_THROWS_AS(put_trained("rows", matrix, file), Error);
  }
}

}  // namespace acevec
