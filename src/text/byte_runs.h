// Runs of bytes of a kind, eight at a time in a 64-bit word: most of a text is ASCII letters.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

static_assert(std::endian::native == std::endian::little, "a word's first byte is its lowest");

namespace acevec {

// Eight bytes of a text.
class EightBytes {
 public:
  explicit EightBytes(const char* at) { std::memcpy(&bytes_, at, sizeof bytes_); }

  // How many come before the first byte up to the space, 8: all.
  int before_space_or_control() const {
    // A borrow only reaches bytes behind the first that is small enough.
    return first_of((bytes_ - kOnes * ('\x20' + 1)) & ~bytes_ & kHigh);
  }

  // How many ASCII letters come first.
  int letters() const {
    const uint64_t low = lower() & ~kHigh;
    const uint64_t from_a = low + kOnes * (0x80 - 'a'), after_z = low + kOnes * (0x7f - 'z');
    return first_of((~from_a | after_z | bytes_) & kHigh);
  }

  // The bytes with their letters in lower case; other bytes are not what they were.
  uint64_t lower() const { return bytes_ | kOnes * 0x20; }

  // Whether all of the first `count` are ASCII.
  bool ascii(int count) const {
    return (bytes_ & kHigh & (count == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * count)) - 1)) == 0;
  }

 private:
  static constexpr uint64_t kOnes = 0x0101010101010101, kHigh = kOnes * 0x80;

  // The place of the first byte whose high bit is set.
  static int first_of(uint64_t marks) { return std::countr_zero(marks) / 8; }

  uint64_t bytes_;
};

}  // namespace acevec
