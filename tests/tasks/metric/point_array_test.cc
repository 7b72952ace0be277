// Arrays of every type of numbers, as points, and what is refused.

#include "tasks/metric/point_array.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "base/error.h"
#include "tasks/metric/array_bytes.h"
#include "temporary_folder.h"

namespace acevec::point_array_test {
namespace {

// The numbers of an array in one row, and the shape of a point.
struct Read {
  std::vector<float> numbers;
  std::vector<int64_t> shape;
};

Read read(const TemporaryFolder& folder, const std::string& bytes) {
  auto input = std::make_unique<LookAhead>(folder.write("x", bytes));
  REQUIRE(PointArray::begins(*input));
  PointArray array(std::move(input));
  Read all{{}, array.shape()};
  std::vector<float> row(static_cast<size_t>(array.columns()));
  for (std::string word; array.next(word, row.data());) {
    all.numbers.insert(all.numbers.end(), row.begin(), row.end());
  }
  return all;
}

// What the error says; empty when there is none.
std::string refusal(const TemporaryFolder& folder, const std::string& bytes) {
  try {
    read(folder, bytes);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("arrays of every type of numbers are read, the dimensions of a point as one row") {
  const TemporaryFolder folder;
  const std::vector<float> wanted{0, 1, 2, 3, 100, 5};
  const auto check = [&](const std::string& bytes, const std::vector<int64_t>& shape) {
    const Read all = read(folder, bytes);
    CHECK(all.shape == shape);
    CHECK(all.numbers == wanted);
  };
  const auto check_both = [&](auto number, char idx_type, const std::string& npy_type) {
    std::vector<decltype(number)> numbers;
    for (const float value : wanted) numbers.push_back(static_cast<decltype(number)>(value));
    if (idx_type != 0) check(idx(idx_type, {3, 2}, bytes_of(numbers, true)), {2});
    check(npy("<" + npy_type, "(3, 1, 2)", bytes_of(numbers, false)), {1, 2});
    check(npy(">" + npy_type, "(2,3)", bytes_of(numbers, true)), {3});
  };
  check_both(uint8_t{}, 0x08, "u1");
  check_both(int8_t{}, 0x09, "i1");
  check_both(int16_t{}, 0x0B, "i2");
  check_both(int32_t{}, 0x0C, "i4");
  check_both(float{}, 0x0D, "f4");
  check_both(double{}, 0x0E, "f8");
  check_both(uint64_t{}, 0, "u8");
  check(idx(0x08, {1, 1, 2, 3}, bytes_of(std::vector<uint8_t>{0, 1, 2, 3, 100, 5}, true)),
        {1, 2, 3});
  // 1.5 and −2 in half precision.
  const std::string halves = bytes_of(std::vector<uint16_t>{0x3E00, 0xC000}, false);
  CHECK(read(folder, npy("<f2", "(1, 2)", halves)).numbers == std::vector<float>{1.5F, -2});
}

TEST_CASE("arrays that are damaged or hold something else are refused, with the place") {
  const TemporaryFolder folder;
  const std::string four("\1\2\3\4", 4);
  CHECK(holds(refusal(folder, idx(0x08, {3, 2}, four)), "point 3 of 3 is truncated"));
  CHECK(holds(refusal(folder, idx(0x08, {1, 2}, four)), "more numbers than"));
  CHECK(holds(refusal(folder, idx(0x08, {0, 2}, "")), "declares 0 points"));
  CHECK(holds(refusal(folder, idx(0x08, {2, 0}, "")), "no numbers"));
  CHECK(holds(refusal(folder, idx(0x08, {0xFFFFFFFF, 2}, four)), "declares 4294967295 points"));
  // Nothing is allocated for what a header only declares.
  CHECK(holds(refusal(folder, idx(0x08, {2000000000, 1000, 1000}, four)), "point 1 of"));
  CHECK(holds(refusal(folder, idx(0x08, {2, 60000, 60000}, four)), "more than 1048576 numbers"));
  CHECK(holds(refusal(folder, idx(0x08, {1, 2}, "").substr(0, 9)), "header is truncated"));
  CHECK(holds(refusal(folder, npy("<f4", "(2, 2)", four)), "point 1 of 2 is truncated"));
  CHECK(holds(refusal(folder, npy("<c8", "(2, 2)", four)), "of type <c8"));
  CHECK(holds(refusal(folder, npy("|O", "(2, 2)", four)), "of type |O"));
  CHECK(holds(refusal(folder, npy("<u1", "(2, 2)", four, "True")), "by columns"));
  CHECK(holds(refusal(folder, npy("<u1", "(2, -2)", four)), "not a list of lengths"));
  CHECK(holds(refusal(folder, npy("<u1", "(2, x)", four)), "not a list of lengths"));
  CHECK(holds(refusal(folder, npy("<u1", "()", four)), "not a list of lengths"));
  CHECK(
      holds(refusal(folder, npy("<u1", "(99999999999999999999,)", four)), "not a list of lengths"));
  const std::string nan = bytes_of(std::vector<float>{1, std::nanf("")}, false);
  CHECK(
      holds(refusal(folder, npy("<f4", "(2, 1)", nan)), "row 2 holds a number that is not finite"));
  const std::string large = bytes_of(std::vector<double>{1e300}, false);
  CHECK(holds(refusal(folder, npy("<f8", "(1, 1)", large)), "not finite"));
}

TEST_CASE("other files do not begin like an array") {
  const TemporaryFolder folder;
  for (const std::string& bytes : {std::string(), std::string("3 2\na 1 2\n"),
                                   std::string("\0\0\x0A\1", 4), std::string("\0\0\x08\0", 4)}) {
    LookAhead input(folder.write("x", bytes));
    CHECK_FALSE(PointArray::begins(input));
  }
}

}  // namespace acevec::point_array_test
