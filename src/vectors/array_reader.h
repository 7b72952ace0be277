// Readers of files that have only numbers: tables, and arrays in numpy's .npy files and in IDX
// files, with the types of their numbers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/lines.h"
#include "vectors/row_reader.h"

namespace acevec {

// Returns whether the nearest 16-bit float (IEEE 754 binary16: sign, 5 bits of exponent, 10 of
// mantissa) is finite.
inline bool fits_half(float number) {
  return std::abs(number) < 65520.0F;
}

// Returns the nearest 16-bit float; ties go to the one whose last bit is 0. fits_half(number) must
// hold.
inline uint16_t to_half(float number) {
  const auto sign = static_cast<uint32_t>(std::signbit(number)) << 15U;
  const float size = std::abs(number);
  // Below 2^−14, multiples of 2^−24; above, the 10 bits after the leading one.
  if (size < 0x1p-14F)
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyint(size * 0x1p24F)));
  const auto bits = std::bit_cast<uint32_t>(size);
  const uint32_t odd = bits >> 13U & 1U;
  const uint32_t rounded = bits + 0xFFFU + odd;
  return static_cast<uint16_t>(sign | ((rounded >> 13U) - ((127U - 15U) << 10U)));
}

inline float from_half(uint16_t half) {
  const uint32_t exponent = half >> 10U & 0x1FU;
  const uint32_t mantissa = half & 0x3FFU;
  float size = 0;
  if (exponent == 0) {
    size = static_cast<float>(mantissa) * 0x1p-24F;
  } else {
    const uint32_t wide = exponent == 0x1F ? 0xFF : exponent + (127U - 15U);
    size = std::bit_cast<float>(wide << 23U | mantissa << 13U);
  }
  return (half & 0x8000U) != 0 ? -size : size;
}

// A number type. `swapped`: the numbers are big-endian.
struct ArrayNumber {
  char idx;              // code in IDX files, 0x08 for MNIST's; 0: none
  std::string_view npy;  // name in .npy files without the byte order: "f4"
  size_t bytes;
  // Numbers out of float's range become infinite.
  void (*to_floats)(const char* from, int64_t count, bool swapped, float* to);
  int64_t (*to_integer)(const char* from, bool swapped);  // null: not an integer type
};

// Return the type of this name, or null. `npy`: with the byte order, "<f4" or "|u1".
const ArrayNumber* idx_number(char idx);
const ArrayNumber* npy_number(std::string_view npy);

// The type and shape of the numbers that follow the header of an .npy file.
struct NpyHead {
  std::string type;         // in numpy's notation, "<f4"
  bool by_columns = false;  // Fortran (column-major) order
  // Lengths of the dimensions, each ≥ 0; unset if the header does not list them.
  std::optional<std::vector<int64_t>> shape;
};

// Returns whether the next bytes begin an .npy file.
bool begins_npy(LookAhead& input);

// Reads the header and leaves `input` at the numbers. Throws Error without the file's name.
NpyHead read_npy_head(LookAhead& input);

// An IDX or .npy file, whose first dimension counts rows. It reads integers of 1 to 8 bytes, and
// floats of 2 (.npy only), 4 and 8 bytes. Words are empty.
class NumberArray final : public RowReader {
 public:
  // Whether the next bytes of `input` begin an IDX or .npy file.
  static bool begins(LookAhead& input);

  // `advice`: a description of a good file. Throws Error if the header is invalid, there are no
  // rows, or they have more than kMostColumns numbers.
  NumberArray(std::unique_ptr<LookAhead> input, const char* advice);

  // The shape of a row, such as {28, 28}; empty if a row is a single number.
  const std::vector<int64_t>& shape() const { return shape_; }

  // Replaces next() for rows that are single integers. Throws Error if they are not, and as next()
  // does.
  std::optional<int64_t> next_label();

 private:
  void read_idx_head();
  void read_npy_shape();
  void set_array(const std::vector<int64_t>& lengths);
  const char* peek_row();
  bool read_row(std::string& word, float* numbers) override;

  std::unique_ptr<LookAhead> input_;
  const ArrayNumber* number_ = nullptr;
  bool swapped_ = false;  // big-endian
  std::vector<int64_t> shape_;
  int64_t labels_ = 0;  // number read by next_label()
};

// A table of numbers with a row per line. A first line without numbers is a header. Words are
// empty. `delimiters`: characters, each of which ends a column.
class NumberTable final : public RowReader {
 public:
  NumberTable(std::unique_ptr<LookAhead> input, const char* delimiters);

 private:
  std::optional<std::vector<std::string_view>> fields();
  bool read_row(std::string& word, float* numbers) override;

  std::unique_ptr<LookAhead> input_;
  const char* delimiters_;
  size_t line_bytes_ = 0;  // bytes of the next line
};

}  // namespace acevec
