// Tests of base/same_file: one file, however its path is written.

#include "base/same_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>

#include "temporary_folder.h"

namespace acevec {

TEST_CASE("one file is recognised under two names") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  folder.write("other", "");
  std::filesystem::create_symlink("file", folder.path("soft"));
  std::filesystem::create_hard_link(file, folder.path("hard"));
  std::filesystem::create_symlink("new", folder.path("dangling"));
  CHECK(same_file(file, file));
  CHECK(same_file(file, folder.path("./file")));
  CHECK(same_file(file, folder.path("soft")));
  CHECK(same_file(file, folder.path("hard")));
  REQUIRE(mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  CHECK(same_file(folder.path("pipe"), folder.path("./pipe")));
  CHECK_FALSE(same_file(folder.path("pipe"), file));
  CHECK(same_file(folder.path("new"), folder.path("none/../new")));
  CHECK(same_file(folder.path("new"), folder.path("dangling")));
  CHECK(same_file("new", "./new"));
  CHECK_FALSE(same_file(file, folder.path("other")));
  CHECK_FALSE(same_file(file, folder.path("new")));
  CHECK_FALSE(same_file(folder.path("new"), folder.path("newer")));
  CHECK_FALSE(same_file(file + "/a", file + "/b"));
}

TEST_CASE("pipes, devices and folders are special, files and nothing are not") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  std::filesystem::create_symlink("pipe", folder.path("link"));
  for (const std::string& path :
       {folder.path("pipe"), folder.path("link"), folder.path(""), std::string("/dev/null")}) {
    CHECK(is_special_file(path));
  }
  CHECK_FALSE(is_special_file(folder.write("file", "")));
  CHECK_FALSE(is_special_file(folder.path("none")));
}

}  // namespace acevec
