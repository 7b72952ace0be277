// Models in a container: what is written, and what is refused.

#include "train/model_container.h"

#include <doctest/doctest.h>

#include <limits>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

struct Refused {};

[[noreturn]] void refuse(const std::string&) {
  throw Refused();
}

}  // namespace

TEST_CASE("a model comes back, and all else is refused in the model's words") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model");
  Matrix matrix(3, 5);
  matrix.row(2)[4] = 7;
  {
    CheckpointWriter file(path);
    put_trained("rows", matrix, file);
    file.commit();
  }
  Matrix other(3, 5);
  read_model_file(
      path, [&](CheckpointReader& file) { other.load("rows", file); }, refuse);
  CHECK(other.row(2)[4] == 7);
  const auto nothing = [](CheckpointReader&) {};
  const auto impossible = [](CheckpointReader&) { throw Error("impossible"); };
  CHECK_THROWS_AS(read_model_file(path, impossible, refuse), Refused);
  CHECK_THROWS_AS(
      read_model_file(folder.write("cut", folder.read("model").substr(0, 60)), nothing, refuse),
      Refused);
  CHECK_THROWS_AS(read_model_file(folder.path("none"), nothing, refuse), Error);
}

TEST_CASE("a number that is not finite is refused when it is read") {
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
  numbers[3] = 0;
  matrix.row(1)[2] = -std::numeric_limits<float>::infinity();
  CHECK_THROWS_AS(read(), Error);
}

TEST_CASE("a model that is not finite is not written") {
  const TemporaryFolder folder;
  Matrix matrix(1, 1);
  matrix.row(0)[0] = std::numeric_limits<float>::infinity();
  CheckpointWriter file(folder.path("model"));
  CHECK_THROWS_AS(put_trained("rows", matrix, file), Error);
}

}  // namespace acevec
