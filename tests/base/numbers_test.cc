// Tests of base/numbers: what is a number as a whole, and how lists are taken apart.

#include "base/numbers.h"

#include <doctest/doctest.h>

#include <string>

namespace acevec {
namespace {

TEST_CASE("a number is all of a text, in its range, or nothing") {
  CHECK(number_of<int64_t>("-42") == -42);
  CHECK(number_of<double>("1e-4") == 1e-4);
  for (const char* text : {"", "+1", "-", "1 ", " 1", "1x", "0x1", "1.5", "1e2"}) {
    CAPTURE(text);
    CHECK(!number_of<int64_t>(text));
  }
  CHECK(number_of<int32_t>("2147483647") == 2147483647);
  CHECK(!number_of<int32_t>("2147483648"));
  CHECK(!number_of<double>("1e999"));
  CHECK(number_of<int32_t>("e9", 16) == 0xe9);
  CHECK(!number_of<int32_t>("g", 16));
  CHECK(!number_of<int32_t>("", 16));
}

TEST_CASE("numbers beyond a float's range become 0 or infinite") {
  CHECK(float_of("0.1") == 0.1F);
  CHECK(float_of("+0.1") == 0.1F);
  CHECK(!float_of("+-0.1"));
  CHECK(float_of("-1e-60") == 0.0F);
  CHECK(float_of("1e60") == std::numeric_limits<float>::infinity());
  CHECK(float_of("-1e300") == -std::numeric_limits<float>::infinity());
  CHECK(!float_of("one"));
}

TEST_CASE("a number is written with the digits that it needs") {
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(0.1F) == "0.1");
  CHECK(shortest(1e-4) == "1e-04");
  CHECK(number_of<double>(shortest(1.0 / 3)) == 1.0 / 3);
}

TEST_CASE("a number is taken off the front, and nothing where there is none") {
  std::string_view text = "2.5h";
  CHECK(take_number<double>(text) == 2.5);
  CHECK(text == "h");
  CHECK(!take_number<double>(text));
  CHECK(text == "h");
}

TEST_CASE("fields lie between blanks, parts between separators") {
  std::string_view line = "\t a  bc ";
  CHECK(take_field(line) == "a");
  CHECK(take_field(line) == "bc");
  CHECK(take_field(line).empty());
  CHECK(take_field(line).empty());
  using Parts = std::vector<std::string_view>;
  CHECK(split("a,b;;c", ",;") == Parts{"a", "b", "", "c"});
  CHECK(split("", ",") == Parts{""});
  CHECK(trimmed("\t a b ", " \t") == "a b");
  CHECK(trimmed("  ", " ").empty());
  CHECK(trimmed("", " ").empty());
  CHECK(split("a,", ",") == Parts{"a", ""});
  CHECK(joined({}, ", ").empty());
  CHECK(joined({"a", "", "b"}, ", ") == "a, , b");
}

TEST_CASE("all numbers of a line are counted, as many as wanted are kept") {
  float numbers[2] = {0, 0};
  CHECK(parse_numbers("1 -2\t3", numbers, 2) == 3);
  CHECK(numbers[0] == 1);
  CHECK(numbers[1] == -2);
  CHECK(parse_numbers(" ", numbers, 2) == 0);
  CHECK(parse_numbers("1 two", numbers, 2) == -1);
}

}  // namespace
}  // namespace acevec
