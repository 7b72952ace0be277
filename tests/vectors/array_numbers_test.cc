// The types of numbers of arrays: what files call them, and their ends.

#include "vectors/array_numbers.h"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>

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

}  // namespace

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
  for (const double wide : {1e300, -1e300, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(float_of("<f8", stored(wide)) == kInfinity);
  }
  CHECK(float_of("<f8", stored(1e-300)) == 0);
}

}  // namespace acevec
