// Packed files as the bytes that are in them: gzip, bzip2, xz and zstd, told by their first bytes.
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

// What an unpacker says of a file that is cut.
inline constexpr const char* kCutFile = "unexpected end of file";

// First bytes that tell how a file is packed.
inline constexpr size_t kPackingBytes = 10;

// An unpacker for a file that begins with `first`, at least kPackingBytes or the whole file; null
// when it is not packed. bzip2 is unpacked by `threads` threads, the others by the calling one.
std::unique_ptr<Unpacker> make_unpacker(std::string_view first, int threads);

// Whether more bytes behind `first` may show that a file is packed.
bool may_be_packed(std::string_view first);

}  // namespace acevec
