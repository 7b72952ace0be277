// bzip2 unpacks to the bytes that libbz2 packed, with any number of threads and wherever its blocks
// begin and end.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/bzip2_block.h"
#include "text/source_bytes.h"
#include "text/unpacker.h"

namespace acevec {
namespace {

// Unpacks `file`, which comes `step` bytes at a time.
std::string unpacked(std::string_view file, int threads, size_t step = 100000,
                     size_t room = 65536) {
  const std::unique_ptr<Unpacker> unpacker = make_bunzip2(threads);
  std::string all;
  std::string buffer(room, '\0');
  std::string_view packed;
  for (bool last = false;;) {
    const size_t got = unpacker->unpack(packed, last, buffer.data(), buffer.size());
    all.append(buffer, 0, got);
    if (got > 0) continue;
    if (last) return all;
    packed = file.substr(0, step);
    file.remove_prefix(packed.size());
    last = file.empty();
  }
}

std::string why_refused(std::string_view file, int threads) {
  try {
    unpacked(file, threads);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

uint32_t bzip2_checksum(const std::string& bytes) {
  uint32_t sum = ~0U;
  for (const char c : bytes) {
    sum ^= static_cast<uint32_t>(static_cast<uint8_t>(c)) << 24;
    for (int bit = 0; bit < 8; ++bit) sum = sum << 1 ^ (sum >> 31) * 0x04c11db7;
  }
  return ~sum;
}

// Words, so that blocks differ in length and do not end at whole bytes.
std::string words(size_t size, uint64_t seed) {
  Random random(seed);
  std::string text;
  while (text.size() < size) {
    const size_t length = 1 + random.below(8);
    for (size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random.below(6));
    text += random.below(9) == 0 ? '\n' : ' ';
  }
  return text;
}

std::vector<std::string> texts() {
  std::string all;
  for (int repeated = 0; repeated < 3; ++repeated) {
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  }
  std::string runs;  // of every length about those that are coded otherwise
  for (size_t length = 1; length < 600; ++length) {
    runs += std::string(length, static_cast<char>('a' + length % 2));
  }
  return {"",
          "a",
          "ab",
          "abc",
          std::string(4, 'a'),
          std::string(5, '\0'),
          std::string(255 + 4, 'x'),
          std::string(3000000, 'x'),  // one block: the text is longer than memory for blocks
          std::string(3000000, '\0') + "b",
          all,
          runs,
          words(350001, 2),
          random_bytes(250000)};
}

}  // namespace

TEST_CASE("bzip2's blocks unpack to their bytes with any number of threads") {
  for (const std::string& text : texts()) {
    CAPTURE(text.size());
    for (const int level : {1, 9}) {
      const std::string file = bzipped(text, level);
      for (const int threads : {1, 2, 5}) CHECK(unpacked(file, threads) == text);
    }
  }
  std::string pairs;  // a period, whose rotations repeat
  for (int i = 0; i < 50000; ++i) pairs += "ab";
  CHECK(unpacked(bzipped(pairs), 1) == pairs);
}

TEST_CASE("bzip2 comes in pieces of any size, and goes out in any") {
  const std::string text = words(250000, 3);
  const std::string file = bzipped(text, 1) + bzipped("", 5) + bzipped(text, 2);
  for (const size_t step : {size_t{1}, size_t{7}, size_t{5000}, file.size()}) {
    for (const int threads : {1, 3}) {
      CHECK(unpacked(file, threads, step, step) == text + text);
    }
  }
}

TEST_CASE("damage to bzip2 is refused and its place named") {
  const std::string text = words(250000, 4);
  const std::string file = bzipped(text, 1);
  for (const int threads : {1, 3}) {
    std::string damaged = file;
    damaged[8] = 'x';  // the first block's mark
    CHECK(why_refused(damaged, threads) != "read");
    damaged = file;
    damaged[12] = static_cast<char>(damaged[12] ^ 1);  // its checksum
    CHECK(why_refused(damaged, threads) == "the block at byte 4 has a wrong checksum");
    damaged = file;
    damaged[file.size() - 2] = static_cast<char>(damaged[file.size() - 2] ^ 64);
    CHECK(why_refused(damaged, threads) == "the checksum of a stream is wrong");
    damaged = file;
    damaged[14] = static_cast<char>(damaged[14] | 0x80);
    CHECK(why_refused(damaged, threads) ==
          "the block at byte 4 is randomised, as by bzip2 before 0.9.5");
    damaged = bzipped(words(850000, 4), 9);
    damaged[3] = '1';
    CHECK(why_refused(damaged, threads) == "the block at byte 4 is longer than its stream allows");
    damaged = file.substr(0, file.size() - 10) + file;  // a stream that does not end
    CHECK(why_refused(damaged, threads) != "read");
    damaged = file + file.substr(4);  // a stream that does not begin
    CHECK(why_refused(damaged, threads) ==
          format("the block at byte %zu belongs to no stream", file.size()));
  }
}

namespace {

// Bits as text, and as bytes.
class Bits {
 public:
  void put(uint64_t value, int count) {
    for (int i = count - 1; i >= 0; --i) bits_ += static_cast<char>('0' + (value >> i & 1));
  }
  void put_block_mark() { put(kBzip2Block, kBzip2MarkBits); }
  std::string bytes() const {
    std::string packed((bits_.size() + 7) / 8, '\0');
    for (size_t i = 0; i < bits_.size(); ++i) {
      if (bits_[i] == '1') packed[i / 8] = static_cast<char>(packed[i / 8] | 128 >> i % 8);
    }
    return packed;
  }

 private:
  std::string bits_;
};

// A block of the bytes a, b and c in whose symbols the bits of a block's mark stand. Its five
// symbols, two digits of runs, two places and the end, have codes of 2 2 2 3 4 bits and a sixth
// symbol of 4: 00 01 10 110 1110 1111. So all bits without 1111 are symbols.
Bits block_with_mark(uint64_t variation, uint32_t checksum, uint32_t origin) {
  Bits bits;
  bits.put_block_mark();
  bits.put(checksum, 32);
  bits.put(0, 1);
  bits.put(origin, 24);
  bits.put(1U << 9, 16);  // of the bytes 0x60 .. 0x6f
  bits.put(0x7800, 16);   // 0x61 .. 0x64
  bits.put(2, 3);         // codes
  bits.put(1, 15);        // selectors
  bits.put(0, 1);         // the first code
  for (int code = 0; code < 2; ++code) {
    bits.put(2, 5);
    for (const int change : {0b0, 0b0, 0b0}) bits.put(static_cast<uint64_t>(change), 1);
    bits.put(0b100, 3);
    bits.put(0b100, 3);
    bits.put(0, 1);
  }
  bits.put(0b10, 2);
  bits.put(0b1110, 4);
  bits.put_block_mark();
  bits.put(0b10, 2);
  for (int i = 0; i < 6; ++i) bits.put((variation >> 2 * i & 3) % 3, 2);
  bits.put(0b1111, 4);
  return bits;
}

// The bytes of a block whose checksum is wrong, none if it has more than that wrong.
std::string bytes_of_block(const std::string& packed) {
  std::string text;
  char byte = 0;
  try {
    Bzip2Block block(packed, 0);
    while (block.unpack(&byte, 1) > 0) text += byte;
  } catch (const Error& error) {
    if (error.what() == std::string("has a wrong checksum")) text += byte;
  }
  return text;
}

// The file of one such block, of whatever origin makes it the transform of a text: `text`, as
// libbz2 reads it too.
std::string file_with_mark(std::string& text) {
  for (uint64_t variation = 0; variation < 1000; ++variation) {
    for (uint32_t origin = 0; origin < 20; ++origin) {
      text = bytes_of_block(block_with_mark(variation, 0, origin).bytes());
      const uint32_t sum = bzip2_checksum(text);
      Bits bits = block_with_mark(variation, sum, origin);
      bits.put(kBzip2End, kBzip2MarkBits);
      bits.put(sum, 32);
      std::string file = "BZh1" + bits.bytes();
      std::string peer(100000, '\0');
      auto size = static_cast<unsigned>(peer.size());
      if (BZ2_bzBuffToBuffDecompress(peer.data(), &size, file.data(),
                                     static_cast<unsigned>(file.size()), 0, 0) == BZ_OK) {
        CHECK(peer.substr(0, size) == text);
        return file;
      }
    }
  }
  FAIL("there is no such file");
  return {};
}

}  // namespace

TEST_CASE("a mark within a block of bzip2 is not taken for the next block") {
  std::string text;
  const std::string file = file_with_mark(text);
  const std::string more = words(150000, 6);
  const std::string all = file + bzipped(more, 1) + file;
  for (const int threads : {1, 2, 4}) {
    for (const size_t step : {size_t{1}, size_t{30}, all.size()}) {
      CHECK(unpacked(file, threads, step) == text);
      CHECK(unpacked(all, threads, step) == text + more + text);
    }
    CHECK(why_refused(file.substr(0, file.size() - 12), threads) == "unexpected end of file");
  }
}

}  // namespace acevec
