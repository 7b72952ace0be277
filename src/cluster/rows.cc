#include "cluster/rows.h"

#include "kernels/bfloat16.h"

namespace acevec {

void round_to(Wire wire, std::vector<float>& values) {
  if (wire == Wire::kFloat) return;
  round_to_bfloat16(values.data(), std::ssize(values));
}

void put_rows(Bytes& bytes, const Rows& rows, Wire wire) {
  put_all(bytes, std::span<const int32_t>(rows.ids));
  if (wire == Wire::kFloat) return put_all(bytes, std::span<const float>(rows.values));
  std::vector<uint16_t> halves;
  halves.reserve(rows.values.size());
  for (const float value : rows.values) halves.push_back(to_bfloat16(value));
  put_all(bytes, std::span<const uint16_t>(halves));
}

Rows get_rows(BytesReader& reader, int64_t width, Wire wire) {
  Rows rows{width, reader.get_all<int32_t>(), {}};
  if (wire == Wire::kFloat) {
    rows.values = reader.get_all<float>();
  } else {
    for (const uint16_t half : reader.get_all<uint16_t>()) {
      rows.values.push_back(from_bfloat16(half));
    }
  }
  if (rows.values.size() != rows.ids.size() * static_cast<size_t>(width)) {
    throw Error("a message of another process is damaged; check the network");
  }
  return rows;
}

}  // namespace acevec
