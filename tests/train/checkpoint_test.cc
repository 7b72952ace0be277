#include "train/checkpoint.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

std::string written_by(const TemporaryFolder& folder, const std::string& command,
                       const std::vector<std::string>& arguments) {
  const std::string path = folder.path("ck");
  CheckpointWriter file(path);
  save_arguments(command, arguments, file);
  file.commit();
  return path;
}

}  // namespace

TEST_CASE("a checkpoint holds the command and its arguments") {
  const TemporaryFolder folder;
  CheckpointReader file(written_by(folder, "acevec kg", {"-size=5", "-train=a=b"}));
  CHECK(load_arguments("acevec kg", file) == std::vector<std::string>{"-size=5", "-train=a=b"});
}

TEST_CASE("a checkpoint of another command or of 0.2.0 is refused in one line") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& wrote, const std::vector<std::string>& arguments) {
    CheckpointReader file(written_by(folder, wrote, arguments));
    try {
      load_arguments("acevec kg", file);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal("acevec", {}).find("resume it with acevec -resume") != std::string::npos);
  CHECK(refusal("kg", {}).find("was written by acevec 0.2.0") != std::string::npos);
  CHECK(refusal("", {}).find("was written by acevec 0.2.0") != std::string::npos);
  CHECK(refusal("acevec kg", {"size=5"}).find("is damaged") != std::string::npos);
}

}  // namespace acevec
