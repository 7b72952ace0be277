#include "cluster/rows.h"

#include <bit>
#include <cmath>

namespace acevec {
namespace {

// To the nearest, of two to the even one; what is no number stays so.
uint16_t upper_half(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float from_upper_half(uint16_t half) {
  return std::bit_cast<float>(static_cast<uint32_t>(half) << 16);
}

}  // namespace

void round_to(Wire wire, std::vector<float>& values) {
  if (wire == Wire::kFloat) return;
  for (float& value : values) value = from_upper_half(upper_half(value));
}

void put_rows(Bytes& bytes, const Rows& rows, Wire wire) {
  put_all(bytes, std::span<const int32_t>(rows.ids));
  if (wire == Wire::kFloat) return put_all(bytes, std::span<const float>(rows.values));
  std::vector<uint16_t> halves;
  halves.reserve(rows.values.size());
  for (const float value : rows.values) halves.push_back(upper_half(value));
  put_all(bytes, std::span<const uint16_t>(halves));
}

Rows get_rows(BytesReader& reader, int64_t width, Wire wire) {
  Rows rows{width, reader.get_all<int32_t>(), {}};
  if (wire == Wire::kFloat) {
    rows.values = reader.get_all<float>();
  } else {
    for (const uint16_t half : reader.get_all<uint16_t>()) {
      rows.values.push_back(from_upper_half(half));
    }
  }
  if (rows.values.size() != rows.ids.size() * static_cast<size_t>(width)) {
    throw Error("a message of another process is damaged; check the network");
  }
  return rows;
}

}  // namespace acevec
