// Unpacks gzip, bzip2, xz and zstd, which are detected by their first bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace acevec {

// Unpacks strictly: after the end of a packed text only another may follow, or zeros that fill up a
// block. Checksums are verified.
class Unpacker {
 public:
  virtual ~Unpacker() = default;

  // Unpacks up to `size` bytes into `buffer` and removes consumed bytes from the front of `packed`.
  // Returns their number. 0 means that more of the file is needed after `packed`; at its end
  // (`last`), that there is no more. Throws Error, with only the cause as its message, where the
  // file is damaged or truncated.
  virtual size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) = 0;
};

// The message of an unpacker about a truncated file.
inline constexpr const char* kCutFile = "unexpected end of file";

// The number of first bytes that identify the packing of a file.
inline constexpr size_t kPackingBytes = 10;

// Returns an unpacker for a file that begins with `first`, at least kPackingBytes or the whole
// file; null when it is not packed. bzip2 is unpacked by `threads` threads, other formats by the
// calling one.
std::unique_ptr<Unpacker> make_unpacker(std::string_view first, int threads);

// Returns an unpacker for bzip2 (bunzip2.cc).
std::unique_ptr<Unpacker> make_bunzip2(int threads);

// Returns whether more bytes after `first` could show that a file is packed.
bool may_be_packed(std::string_view first);

}  // namespace acevec
