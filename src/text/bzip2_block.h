// Blocks of bzip2 files: up to 900,000 bytes each, compressed and checked by themselves. The format
// is that of bzip2 1.0; libbz2 unpacks half as much a second, and does not tell the bit at which a
// block ends (docs/experiments/wiki.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace acevec {

// The marks before each block, and behind the last block of a stream.
inline constexpr uint64_t kBzip2Block = 0x314159265359;
inline constexpr uint64_t kBzip2End = 0x177245385090;
inline constexpr int kBzip2MarkBits = 48;

inline constexpr size_t kBzip2LevelBytes = 100000;  // bytes of a block's text, times the level
inline constexpr size_t kLargestBzip2Text = 9 * kBzip2LevelBytes;
// No block is longer: 20 bits a symbol, and the tables.
inline constexpr size_t kLongestBzip2Block = kLargestBzip2Text / 8 * 20 + 20000;

// Bits of bytes, the highest of each first. Beyond the end there are zeros.
class BitReader {
 public:
  BitReader(std::string_view bytes, size_t begin) : bytes_(bytes), at_(begin) {}

  // The next `count` bits, 1 .. 56.
  uint64_t peek(int count) const { return window() >> (64 - count); }
  void skip(int count) { at_ += static_cast<size_t>(count); }
  uint64_t take(int count) {
    const uint64_t bits = peek(count);
    skip(count);
    return bits;
  }

  size_t at() const { return at_; }  // the next bit
  bool overrun() const { return at_ > bytes_.size() * 8; }

 private:
  uint64_t window() const;

  std::string_view bytes_;
  size_t at_;
};

// A block's bytes in order.
class Bzip2Block {
 public:
  Bzip2Block() = default;

  // Decodes the block whose mark begins at bit `begin` of `packed`, which takes 5 MB of memory.
  // Throws Error, saying how the block is wrong: "has a wrong header".
  Bzip2Block(std::string_view packed, size_t begin);

  // Puts the next bytes into `buffer`, `size` at most; returns their number, 0 at the end. Throws
  // Error when the block's checksum is wrong, at its end.
  size_t unpack(char* buffer, size_t size);

  uint32_t checksum() const { return checksum_; }    // as the block gives it
  size_t text_bytes() const { return text_bytes_; }  // before runs are repeated
  size_t end() const { return end_; }                // the bit behind the block
  // The input ended within the block; there are no bytes.
  bool cut() const { return cut_; }

 private:
  std::string text_;  // four equal bytes are followed by how many more there are
  size_t text_bytes_ = 0;
  uint32_t checksum_ = 0;
  size_t end_ = 0;
  bool cut_ = false;
  size_t at_ = 0;       // in the text
  int equal_ = 0;       // bytes so far that are as the last one, 0 .. 3
  size_t repeats_ = 0;  // of the last byte, still to be given
  char last_ = 0;
  uint32_t running_ = ~0U;  // the checksum of what was given, inverted
};

}  // namespace acevec
