// Encoders out and in again, and files that are none.

#include "tasks/metric/model_file.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

Encoder some_encoder() {
  Encoder encoder({3, {5, 18}, 2});
  Matrix points(4, 3);
  for (int64_t i = 0; i < 4; ++i) points.row(i)[i % 3] = static_cast<float>(i);
  start_encoder(encoder, points, 7);
  return encoder;
}

std::string written(const TemporaryFolder& folder) {
  const std::string path = folder.path("model");
  CheckpointWriter file(path);
  write_encoder(some_encoder(), file);
  file.commit();
  return path;
}

}  // namespace

TEST_CASE("an encoder comes back from its file as it was") {
  const TemporaryFolder folder;
  const Encoder read = read_encoder(written(folder));
  const Encoder wanted = some_encoder();
  CHECK(read.shape.layers() == wanted.shape.layers());
  CHECK(read.mean == wanted.mean);
  CHECK(read.scale == wanted.scale);
  REQUIRE(read.layers.size() == 3);
  for (size_t l = 0; l < 3; ++l) {
    for (int64_t i = 0; i < wanted.layers[l].rows(); ++i) {
      for (int64_t k = 0; k < wanted.layers[l].columns(); ++k) {
        CHECK(read.layers[l].row(i)[k] == wanted.layers[l].row(i)[k]);
      }
    }
  }
}

TEST_CASE("damaged encoders and other files are refused") {
  const TemporaryFolder folder;
  const std::string bytes = folder.read(std::filesystem::path(written(folder)).filename());
  for (size_t size = 0; size < bytes.size(); size += 7) {
    CHECK_THROWS_AS(read_encoder(folder.write("cut", bytes.substr(0, size))), Error);
  }
  for (size_t at = 0; at < bytes.size(); at += 11) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ 4);
    CHECK_THROWS_AS(read_encoder(folder.write("altered", altered)), Error);
  }
  CHECK_THROWS_AS(read_encoder(folder.path("none")), Error);
}

TEST_CASE("an encoder that is not finite is not written") {
  const TemporaryFolder folder;
  Encoder encoder = some_encoder();
  encoder.layers[1].row(0)[0] = 1.0F / 0.0F;
  CheckpointWriter file(folder.path("model"));
  CHECK_THROWS_AS(write_encoder(encoder, file), Error);
}

}  // namespace acevec
