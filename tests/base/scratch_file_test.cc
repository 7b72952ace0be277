// Tests of base/scratch_file: bytes come back, and what fails is said in one line.

#include "base/scratch_file.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"

namespace acevec {

TEST_CASE("a scratch file gives back what was written, wherever it is") {
  ScratchFile file("a test", "little");
  constexpr int64_t kFar = (int64_t{1} << 33) + 7;  // a hole, which takes no room on the disk
  file.write("far", 3, kFar);
  file.write("near", 4, 2);
  std::string bytes(4, ' ');
  file.read(bytes.data(), 4, 2);
  CHECK(bytes == "near");
  file.read(bytes.data(), 3, kFar);
  CHECK(bytes == "farr");
}

TEST_CASE("reading beyond the end of a scratch file is an error") {
  ScratchFile file("a test", "little");
  file.write("abc", 3, 0);
  std::string bytes(4, ' ');
  CHECK_THROWS_WITH_AS(file.read(bytes.data(), 4, 0),
                       "cannot read the temporary file with a test back: it is truncated; check "
                       "the disk, or set TMPDIR",
                       Error);
}

}  // namespace acevec
