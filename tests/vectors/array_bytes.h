// Makes files of arrays.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace acevec {

// The bytes of a number, big-endian if wanted.
template <class Number>
std::string bytes_of(Number number, bool big_endian) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return big_endian ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers, bool big_endian) {
  std::string bytes;
  for (const Number number : numbers) bytes += bytes_of(number, big_endian);
  return bytes;
}

inline std::string idx(char type, const std::vector<uint32_t>& lengths,
                       const std::string& numbers) {
  std::string head{'\0', '\0', type, static_cast<char>(lengths.size())};
  return head + bytes_of(lengths, true) + numbers;
}

inline std::string npy(const std::string& type, const std::string& shape,
                       const std::string& numbers, const std::string& by_columns = "False") {
  std::string head =
      "{'descr': '" + type + "', 'fortran_order': " + by_columns + ", 'shape': " + shape + ", }\n";
  const auto size = static_cast<uint16_t>(head.size());
  return std::string("\x93NUMPY\x01\0", 8) + bytes_of(size, false) + head + numbers;
}

}  // namespace acevec
