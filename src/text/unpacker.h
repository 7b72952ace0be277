// Unpacks gzip, bzip2, xz and zstd, which are recognised by their first bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace acevec {

// Unpacks strictly: behind the end of a packed text only another may follow, or zeros that fill up
// a block. Checksums are verified.
class Unpacker {
 public:
  virtual ~Unpacker() = default;

  // Unpacks up to `size` bytes into `buffer` and takes what is no longer needed off the front of
  // `packed`. Returns their number. 0: more of the file is needed behind `packed`; at its end
  // (`last`), there is no more. Throws Error, saying only what is wrong, where the file is damaged
  // or cut.
  virtual size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) = 0;
};

// The message of an unpacker about a file that is cut.
inline constexpr const char* kCutFile = "unexpected end of file";

// The number of first bytes that tell how a file is packed.
inline constexpr size_t kPackingBytes = 10;

// An unpacker for a file that begins with `first`, at least kPackingBytes or the whole file; null
// when it is not packed. bzip2 is unpacked by `threads` threads, the others by the calling one.
std::unique_ptr<Unpacker> make_unpacker(std::string_view first, int threads);

// An unpacker for bzip2 (bunzip2.cc).
std::unique_ptr<Unpacker> make_bunzip2(int threads);

// Whether more bytes behind `first` may show that a file is packed.
bool may_be_packed(std::string_view first);

}  // namespace acevec
