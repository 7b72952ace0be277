// Blocks of bzip2 files: up to 900,000 bytes each, compressed and checked by themselves. The format
// is that of bzip2 1.0; libbz2 unpacks half as much a second, and does not tell the bit at which a
// block ends (docs/experiments/wiki.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

// A prefix code: codes of each length are consecutive numbers, in the order of their symbols.
class Bzip2Code {
 public:
  static constexpr int kLongest = 20;  // bits

  // `lengths`: bits of each symbol's code, 1 .. kLongest. Throws Error when there is no such code.
  explicit Bzip2Code(const std::vector<uint8_t>& lengths);

  // Takes the next symbol. Throws Error when the bits are no code.
  size_t take(BitReader& bits) const {
    const uint16_t found = short_[bits.peek(kShort)];
    if (found == 0) return take_long(bits);
    bits.skip(found >> 9);
    return found & 0x1ff;
  }

 private:
  static constexpr int kShort = 10;  // bits of codes that are found in a table

  size_t take_long(BitReader& bits) const;

  std::array<uint16_t, 1 << kShort> short_{};  // length << 9 | symbol; 0: a longer code
  // For each length: the number behind its last code, and what to add to a code of that length for
  // the place of its symbol.
  std::array<uint32_t, kLongest + 1> end_{};
  std::array<uint32_t, kLongest + 1> place_{};
  std::vector<uint16_t> symbols_;  // by length
};

// A block's bytes in order.
class Bzip2Block {
 public:
  // Puts the next bytes into `buffer`, `size` at most; returns their number, 0 at the end. Throws
  // Error when the block's checksum is wrong, at its end.
  size_t unpack(char* buffer, size_t size);

  uint32_t checksum() const { return checksum_; }    // as the block gives it
  size_t text_bytes() const { return text_bytes_; }  // before runs are repeated
  size_t end() const { return end_; }                // the bit behind the block
  // The input ended within the block; there are no bytes.
  bool cut() const { return cut_; }

 private:
  friend class Bzip2Decoder;

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

// Decodes blocks, one after the other. It has 5 MB of memory, once it has decoded one.
class Bzip2Decoder {
 public:
  // The block whose mark begins at bit `begin` of `packed`. Throws Error, saying how the
  // block is wrong: "has a wrong header".
  Bzip2Block decode(std::string_view packed, size_t begin);

 private:
  void read_alphabet(BitReader& bits);
  void read_selectors(BitReader& bits);
  void read_code(BitReader& bits);
  void read_column(BitReader& from);
  void link_rows(const std::array<uint32_t, 257>& begin);
  void invert(size_t origin, std::string& text);

  std::vector<uint8_t> alphabet_;   // the bytes that occur, rising
  std::vector<uint8_t> selectors_;  // a code for each 50 symbols
  std::vector<Bzip2Code> codes_;
  std::vector<uint8_t> column_;  // the last column of the sorted rotations (Burrows and Wheeler)
  // For each row: the row whose rotation begins two bytes further on << 8 | its own second byte.
  std::vector<uint32_t> next_;
};

}  // namespace acevec
