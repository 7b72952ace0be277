// Checkpoint files: what is put comes back, and whatever is not as it was written is refused.

#include "base/checkpoint_file.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "refusal.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

const std::vector<int32_t> kNumbers{1, -2, 3};

void write(const std::string& path) {
  CheckpointWriter file(path);
  file.put("answer", int64_t{42});
  file.put("text", std::string("a\0b", 3));
  file.put("numbers", kNumbers);
  file.put("none", std::vector<int32_t>{});
  file.put("real", 0.5);
  file.commit();
}

std::string refusal(const std::string& path) {
  return refusal_of([&] { CheckpointReader file(path); });
}

}  // namespace

TEST_CASE("parts of a checkpoint come back in their order") {
  const TemporaryFolder folder;
  const std::string path = folder.path("ck");
  write(path);
  CHECK(folder.entries() == 1);
  CheckpointReader file(path);
  CHECK(file.get<int64_t>("answer") == 42);
  std::string text;
  file.get("text", text);
  CHECK(text == std::string("a\0b", 3));
  std::vector<int32_t> numbers{7};
  file.get("numbers", numbers);
  CHECK(numbers == kNumbers);
  file.get("none", numbers);
  CHECK(numbers.empty());
  CHECK(file.get<double>("real") == 0.5);
}

TEST_CASE("a part of another name or length is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.path("ck");
  write(path);
  CheckpointReader other_name(path);
  CHECK_THROWS_WITH_AS(other_name.get<int64_t>("question"), doctest::Contains("does not fit"),
                       Error);
  CheckpointReader other_length(path);
  CHECK_THROWS_WITH_AS(other_length.get<int32_t>("answer"), doctest::Contains("does not fit"),
                       Error);
  CheckpointReader no_whole_number(path);
  no_whole_number.get<int64_t>("answer");
  std::vector<int16_t> pairs;
  CHECK_THROWS_WITH_AS(no_whole_number.get("text", pairs), doctest::Contains("does not fit"),
                       Error);
}

TEST_CASE("a file that is truncated anywhere is refused") {
  const TemporaryFolder folder;
  write(folder.path("ck"));
  const std::string bytes = folder.read("ck");
  REQUIRE(refusal(folder.path("ck")) == "accepted");
  CHECK(refusal(folder.write("empty", ""))
            .ends_with("is not a checkpoint; give a file that -checkpoint wrote"));
  for (size_t length = 1; length < bytes.size(); ++length) {
    CAPTURE(length);
    REQUIRE(refusal(folder.write("cut", bytes.substr(0, length))).find("that was truncated; ") !=
            std::string::npos);
  }
}

TEST_CASE("a file of which any bit was changed is refused") {
  const TemporaryFolder folder;
  write(folder.path("ck"));
  const std::string bytes = folder.read("ck");
  for (size_t i = 0; i < bytes.size() * 8; ++i) {
    CAPTURE(i);
    std::string altered = bytes;
    altered[i / 8] = static_cast<char>(altered[i / 8] ^ (1 << i % 8));
    REQUIRE(refusal(folder.write("altered", altered)) != "accepted");
  }
  CHECK(refusal(folder.write("longer", bytes + "x")).find("that was altered; ") !=
        std::string::npos);
  // The largest length there is, right behind the head: nothing is allocated for it.
  std::string huge = bytes;
  for (size_t i = 0; i < 8; ++i) huge[16 + 1 + 6 + i] = '\xff';
  CHECK(refusal(folder.write("huge", huge)).find("truncated") != std::string::npos);
}

TEST_CASE("other files and versions are told apart") {
  const TemporaryFolder folder;
  write(folder.path("ck"));
  const std::string bytes = folder.read("ck");
  CHECK(refusal(folder.write("foreign", "some text\n")).find("is not a checkpoint") !=
        std::string::npos);
  CHECK(refusal(folder.path("none")).find("No such file") != std::string::npos);
  CHECK(refusal(folder.path(".")).find("it is not a file") != std::string::npos);
  std::string newer = bytes;
  newer[12] = 9;
  CHECK(refusal(folder.write("newer", newer)).find("format 9, and this acevec reads format 3") !=
        std::string::npos);
}

TEST_CASE("a checkpoint that is not committed leaves the one before") {
  const TemporaryFolder folder;
  const std::string path = folder.path("ck");
  write(path);
  const std::string before = folder.read("ck");
  {
    CheckpointWriter file(path);
    file.put("answer", int64_t{43});
  }
  CHECK(folder.read("ck") == before);
  CHECK(folder.entries() == 1);
}

}  // namespace acevec
