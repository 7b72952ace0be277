// Containers (base/checkpoint_file.h) that are not what was written, with a right head and
// checksum.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acevec {

// A right head and checksum around `parts`.
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

// The container `file` after change(bytes) of its last part of that name.
template <class Change>
std::string forged(const std::string& file, std::string_view name, const Change& change) {
  constexpr size_t kHead = 16;
  std::vector<std::pair<std::string, std::string>> parts;
  for (size_t at = kHead; at < file.size();) {
    const auto of_name = static_cast<size_t>(static_cast<uint8_t>(file[at]));
    uint64_t length = 0;
    std::memcpy(&length, file.data() + at + 1 + of_name, sizeof length);
    const size_t begin = at + 1 + of_name + sizeof length;
    parts.emplace_back(file.substr(at + 1, of_name), file.substr(begin, length));
    at = begin + length;
  }
  parts.pop_back();  // the checksum
  const auto last = std::find_if(parts.rbegin(), parts.rend(),
                                 [&](const auto& part) { return part.first == name; });
  change(last->second);
  std::string all;
  for (const auto& [found, bytes] : parts) {
    const uint64_t length = bytes.size();
    all += static_cast<char>(found.size()) + found;
    all.append(reinterpret_cast<const char*>(&length), sizeof length);
    all += bytes;
  }
  return completed(all);
}

// The same with `value` in place of the number at `place` of that part, counted in numbers of this
// type.
template <class Number>
std::string forged(const std::string& file, std::string_view name, size_t place, Number value) {
  return forged(file, name, [&](std::string& bytes) {
    bytes.replace(place * sizeof value, sizeof value, reinterpret_cast<const char*>(&value),
                  sizeof value);
  });
}

}  // namespace acevec
