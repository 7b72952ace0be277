#include "text/lines.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("lines keep their numbers, and lose their ends and the empty ones") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("\n\r\n\n").empty());
  const std::vector<Line> lines = lines_of("a b\r\n\n c\n\rd\nlast");
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].number == 1);
  CHECK(lines[0].text == "a b");
  CHECK(lines[1].number == 3);
  CHECK(lines[1].text == " c");
  CHECK(lines[2].number == 4);
  CHECK(lines[2].text == "\rd");
  CHECK(lines[3].number == 5);
  CHECK(lines[3].text == "last");
}

}  // namespace acevec
