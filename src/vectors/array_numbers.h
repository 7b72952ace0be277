// The numbers of arrays, as numpy's .npy files and IDX files store them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace acevec {

// A type of numbers. `swapped`: they are big-endian.
struct ArrayNumber {
  char idx;              // what an IDX file calls it, 0x08 for MNIST's; 0: it has no such type
  std::string_view npy;  // what numpy calls it, behind the byte order: "f4"
  size_t bytes;
  // Those beyond a float's range become infinite.
  void (*to_floats)(const char* from, int64_t count, bool swapped, float* to);
  int64_t (*to_integer)(const char* from, bool swapped);  // null: it may have a fraction
};

// The type of that name; null where there is none. `npy`: with the byte order, "<f4" or "|u1".
const ArrayNumber* idx_number(char idx);
const ArrayNumber* npy_number(std::string_view npy);

}  // namespace acevec
