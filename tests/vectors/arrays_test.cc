// Numbers of 16 bits against their definition, the numbers of arrays, and the head of .npy files.

#include "vectors/array_reader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

template <class Number>
std::string stored(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

float float_of(const char* npy, const std::string& bytes) {
  float number = 0;
  npy_number(npy)->to_floats(bytes.data(), 1, npy[0] == '>', &number);
  return number;
}

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

TEST_CASE("every finite half comes back, and what lies between two goes to the nearer one") {
  int64_t wrong = 0;
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const float number = from_half(static_cast<uint16_t>(bits));
    wrong += to_half(number) == bits && to_half(-number) == (bits | 0x8000U) ? 0 : 1;
    if (bits + 1 == 0x7C00) break;
    const float middle = (number + from_half(static_cast<uint16_t>(bits + 1))) / 2;
    const uint32_t even = bits + bits % 2;
    wrong += to_half(middle) == even ? 0 : 1;
    wrong += to_half(std::nextafter(middle, 0.0F)) == bits ? 0 : 1;
    wrong += to_half(std::nextafter(middle, 1e9F)) == bits + 1 ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(from_half(0x3C00) == 1.0F);
  CHECK(from_half(0xC000) == -2.0F);
  CHECK(from_half(0x7BFF) == 65504.0F);
  CHECK(from_half(0x0001) == 0x1p-24F);
  CHECK(std::isinf(from_half(0x7C00)));
  CHECK(std::isnan(from_half(0x7C01)));
}

TEST_CASE("what would become infinite fits no half") {
  CHECK(fits_half(65519.9F));
  CHECK(to_half(65519.9F) == 0x7BFF);
  CHECK_FALSE(fits_half(65520.0F));
  CHECK_FALSE(fits_half(-1e30F));
  CHECK_FALSE(fits_half(std::nanf("")));
}

TEST_CASE("types are known by the names of both formats") {
  CHECK(idx_number(0x08) == npy_number("|u1"));
  CHECK(idx_number(0x0E) == npy_number(">f8"));
  CHECK(npy_number("<i2")->bytes == 2);
  CHECK((npy_number("<f4")->to_integer == nullptr));
  for (const char* const npy : {"", "<", "f4", "=f4", "<f1", "<u3", "<c8", "<f44", "|O"}) {
    CAPTURE(npy);
    CHECK(npy_number(npy) == nullptr);
  }
  for (const char idx : {'\0', '\x0A', '\x0F'}) CHECK(idx_number(idx) == nullptr);
}

TEST_CASE("integers keep all digits, and numbers beyond a float's range are infinite") {
  const int64_t least = std::numeric_limits<int64_t>::min();
  CHECK(npy_number("<i8")->to_integer(stored(least + 1).data(), false) == least + 1);
  CHECK(npy_number(">u2")->to_integer("\xff\xfe", true) == 65534);
  CHECK(npy_number("|i1")->to_integer("\xff", false) == -1);
  CHECK(float_of("<i8", stored(least)) == -0x1p63F);
  CHECK(float_of(">f2", "\xc0\0") == -2);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  CHECK(float_of("<f8", stored(1e300)) == kInfinity);
  CHECK(float_of("<f8", stored(-1e300)) == -kInfinity);
  CHECK(std::isnan(float_of("<f8", stored(std::numeric_limits<double>::quiet_NaN()))));
  CHECK(float_of("<f8", stored(1e-300)) == 0);
}

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
