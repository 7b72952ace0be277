// A right head and checksum around the parts of a container (base/checkpoint_file.h).
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace acevec {

inline std::string completed(std::string_view parts) {
  constexpr uint32_t kNumbers[] = {0x01020304, 3};  // byte order, version
  std::string bytes(
      "\x89"
      "acevec\n");
  bytes.append(reinterpret_cast<const char*>(kNumbers), sizeof kNumbers);
  bytes += parts;
  const uint64_t digest = XXH3_64bits(bytes.data(), bytes.size());
  const uint64_t length = sizeof digest;
  bytes +=
      "\x08"
      "checksum";
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.append(reinterpret_cast<const char*>(&digest), sizeof digest);
  return bytes;
}

}  // namespace acevec
