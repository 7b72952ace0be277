// What the fuzz targets share. A target is a file fuzz_NAME.cc that hands bytes to one reader; it
// lets the reader's Error pass, which is how bad input should end, and stops at anything else.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"

// Stops the fuzzer when `condition`, which must hold for any input, does not.
#define REQUIRE_ALWAYS(condition)                                          \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                        \
    }                                                                      \
  } while (false)

namespace acevec {

// Bytes in memory under a path that can be opened like a file's.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    REQUIRE_ALWAYS(written == static_cast<ssize_t>(bytes.size()));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// Runs `read`; true when it came to its end, false when it refused its input. A refusal must be
// something that can be told: not empty.
template <class Read>
bool accepted(Read&& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    REQUIRE_ALWAYS(*error.what() != '\0');
    return false;
  }
}

inline std::string_view view_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace acevec
