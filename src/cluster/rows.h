// Some rows of a matrix, in the format in which they are sent.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/bytes.h"

namespace acevec {

// How numbers travel.
enum class Wire {
  kFloat,
  kBfloat16,  // the upper half of a float, 8 bits of precision: half the bytes
};

// Row ids[i] has the `width` values from values[i · width] on; ids increase.
struct Rows {
  int64_t width = 0;
  std::vector<int32_t> ids;
  std::vector<float> values;

  const float* row(size_t i) const { return values.data() + i * static_cast<size_t>(width); }
  float* row(size_t i) { return values.data() + i * static_cast<size_t>(width); }
};

// What is left of the values on the way.
void round_to(Wire wire, std::vector<float>& values);

// `rows` must have been rounded.
void put_rows(Bytes& bytes, const Rows& rows, Wire wire);
Rows get_rows(BytesReader& reader, int64_t width, Wire wire);

}  // namespace acevec
